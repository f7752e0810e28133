import { Command } from 'commander';
import { escapeText } from '../util/escapeControls.ts';
import { addChanges } from './changes/changesCommand.ts';
import { addAgents } from './commands/agents.ts';
import { addApprovals } from './commands/approvals.ts';
import { addAttach } from './commands/attach.ts';
import { addAudit } from './commands/audit.ts';
import { addBlock } from './commands/block.ts';
import { addBlocks } from './commands/blocks.ts';
import { addChat } from './commands/chat.ts';
import { addChats } from './commands/chats.ts';
import { addCommands } from './commands/commands.ts';
import { addExport } from './commands/export.ts';
import { addHooks } from './commands/hooks.ts';
import { addImport } from './commands/import.ts';
import { addLs } from './commands/ls.ts';
import { addCompletions } from './commands/maintain/completions.ts';
import { addDoctor } from './commands/maintain/doctor.ts';
import { addPrune } from './commands/maintain/prune.ts';
import { addThemes } from './commands/maintain/themes.ts';
import { addMcp } from './commands/mcp.ts';
import { addOpen } from './commands/open.ts';
import { addRecord } from './commands/record.ts';
import { addScreen } from './commands/screen.ts';
import { addSearch } from './commands/search.ts';
import { addServe } from './commands/serve.ts';
import { addWait } from './commands/wait.ts';
import { addUsage } from './past/usage.ts';
import { helpText } from './print/help.ts';
import { addTelemetry } from './telemetry/telemetry.ts';

const NOTES = [
  'Environment:',
  "  HANSARD_HOME  folder of the record (default: hansard in the platform's data folder)",
  '  NO_COLOR      disable colours; output that is not a terminal never has any',
];
const EXAMPLES = [
  ['hansard', 'open Hansard'],
  ['hansard ~/project', 'open Hansard with a terminal in that folder'],
  ['hansard block last | head', 'print what the last command printed'],
  ['hansard doctor', 'diagnose problems and suggest fixes'],
] as const;

/** Headings of the help, in the order in which a newcomer needs them. */
const GROUPS: readonly (readonly [string, readonly ((program: Command) => void)[]])[] = [
  ['Use', [addOpen, addServe, addAttach, addWait, addCommands]],
  ['Read', [addLs, addBlocks, addBlock, addScreen, addSearch]],
  ['Record', [addRecord, addImport, addExport]],
  ['Agents', [addAgents, addChats, addChat, addChanges, addHooks, addMcp, addUsage, addApprovals, addAudit]],
  ['Maintain', [addDoctor, addPrune, addTelemetry, addThemes, addCompletions]],
];

/** Every command with its options and help: what the command line runs, and what completions, man page and reference are made from. */
export function buildProgram(version: string): Command {
  const program = new Command('hansard')
    .description('A terminal that keeps the official record of people and coding agents at work.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureOutput({ outputError: (text, write) => write(escapeText(text).replace(/^error: /, 'hansard: ')) })
    .showHelpAfterError('(see `--help`)')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'negative', 'usage', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .exitOverride();
  for (const [group, commands] of GROUPS) {
    program.commandsGroup(`${group}:`);
    for (const add of commands) add(program);
  }
  program.helpCommand('help [command]', 'Print help for a command');
  return program;
}
