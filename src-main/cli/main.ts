import { Command } from 'commander';
import { findAppFiles } from '../hosts/appFiles.ts';
import { escapeText } from '../util/escapeControls.ts';
import { addApprovals } from './approvals.ts';
import { addAttach } from './attach.ts';
import { addAudit } from './audit.ts';
import { addBlock } from './block.ts';
import { addBlocks } from './blocks.ts';
import { addChat } from './chat.ts';
import { addChats } from './chats.ts';
import { addDoctor } from './doctor.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { addExport } from './export.ts';
import { reportFailure } from './failure.ts';
import { helpText } from './help.ts';
import { addHooks } from './hooks.ts';
import { addImport } from './import.ts';
import { addLs } from './ls.ts';
import { addMcp } from './mcp.ts';
import { addOpen } from './open.ts';
import { print, watchStdout } from './output.ts';
import { addPrune } from './prune.ts';
import { addRecord } from './record.ts';
import { addScreen } from './screen.ts';
import { addSearch } from './search.ts';
import { addServe } from './serve.ts';
import { addWait } from './wait.ts';

const NOTES = [
  'Environment:',
  "  HANSARD_HOME  folder of the record (default: hansard in the platform's data folder)",
  '  NO_COLOR      no colours; there are none outside a terminal anyway',
];
const EXAMPLES = [
  ['hansard', 'open it'],
  ['hansard ~/project', 'open it with a terminal in that folder'],
  ['hansard block last | head', 'what the last command printed'],
  ['hansard doctor', 'diagnose problems and suggest fixes'],
] as const;

function buildProgram(version: string): Command {
  const program = new Command('hansard')
    .description('A terminal that keeps the official record of people and coding agents at work.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureOutput({ outputError: (text, write) => write(escapeText(text).replace(/^error: /, 'hansard: ')) })
    .showHelpAfterError('(`--help` tells more)')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'negative', 'usage', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .exitOverride();
  for (const add of [
    addOpen,
    addServe,
    addAttach,
    addLs,
    addBlocks,
    addBlock,
    addChats,
    addChat,
    addSearch,
    addScreen,
    addWait,
    addRecord,
    addExport,
    addImport,
    addPrune,
    addHooks,
    addMcp,
    addApprovals,
    addAudit,
    addDoctor,
  ])
    add(program);
  return program;
}

/** The installation's own version. Everything else needs its other files too. */
function readVersion(): string {
  try {
    return findAppFiles().version;
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error), EXIT.unavailable);
  }
}

watchStdout();
try {
  await buildProgram(readVersion()).parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
// A connection that was given up would hold the process until its next try, a minute later. Nothing else is left to do.
await print('').catch(() => false);
process.exit();
