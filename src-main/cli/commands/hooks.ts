import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import {
  changeHooks,
  HOOKED_AGENTS,
  type HookPlace,
  type HookReport,
  hookReports,
} from '../../conversations/tracking/hookFiles.ts';
import { findAppFiles } from '../../hosts/appFiles.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { outputColumns, printJson, printLines } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';

export function addHooks(program: Command): void {
  const hooks = program
    .command('hooks')
    .description('Let agents report through their own hooks')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }));
  hooks.addCommand(installCommand());
  hooks.addCommand(uninstallCommand());
  hooks.addCommand(statusCommand());
  program
    .command('hook <agent> <event>', { hidden: true })
    .description('Pass an event of an agent to the Hansard of this terminal')
    .action(() => import(pathToFileURL(findAppFiles().agentHook).href));
}

const EXITS = ['ok', 'usage', 'noInput', 'unavailable', 'software', 'ioError'] as const;
const NOTES = [
  'Recording works without hooks. Hooks report the state at once, and text that the screen folds away.',
  "They are entries in the agent's settings file; a copy of the old file is kept beside it as .hansard.bak. They do nothing outside",
  "Hansard's terminals. `uninstall` removes them and leaves everything else as it is.",
];
const EXAMPLES = [
  ['hansard hooks status', 'show which agents have hooks'],
  [`hansard hooks install ${HOOKED_AGENTS[0]} --dry-run`, 'show what would change'],
  [`hansard hooks uninstall ${HOOKED_AGENTS[0]}`, 'remove the hooks'],
] as const;

interface ChangeOptions {
  dryRun?: boolean;
  stream?: boolean;
  json?: boolean;
}

function installCommand(): Command {
  return new Command('install')
    .description(`Add hooks to the settings of an agent: ${HOOKED_AGENTS.join(', ')}`)
    .argument('<agent>')
    .option('-n, --dry-run', 'show what would change, and change nothing')
    .option('--stream', 'also report each piece of streamed text (starts a process for each)')
    .option('--json', 'one JSON document: {version, dryRun, changed, file, backup, events, remark}')
    .addHelpText('after', helpText({ examples: EXAMPLES, exits: EXITS }))
    .action((agent: string, options: ChangeOptions) => change(agent, options, true));
}

function uninstallCommand(): Command {
  return new Command('uninstall')
    .description("Remove Hansard's hooks from the settings of an agent")
    .argument('<agent>')
    .option('-n, --dry-run', 'show what would change, and change nothing')
    .option('--json', 'one JSON document, as with `install`')
    .addHelpText('after', helpText({ examples: EXAMPLES, exits: EXITS }))
    .action((agent: string, options: ChangeOptions) => change(agent, options, false));
}

function statusCommand(): Command {
  return new Command('status')
    .description("Show which agents have Hansard's hooks")
    .option('--json', 'one JSON document: {version, agents}')
    .addHelpText('after', helpText({ examples: EXAMPLES, exits: EXITS }))
    .action(async (options: { json?: boolean }) => {
      const reports = await hookReports(place());
      if (options.json) await printJson({ version: 1, agents: reports });
      else await printLines(formatTable(COLUMNS, reports, outputColumns()));
    });
}

const COLUMNS: readonly Column<HookReport>[] = [
  { title: 'AGENT', text: ({ agent }) => agent },
  { title: 'HOOKS', text: ({ events, wanted }) => (events.length === 0 ? 'none' : `${events.length} of ${wanted}`) },
  { title: 'FILE', text: ({ file }) => file },
];

function place(): HookPlace {
  return { home: homedir(), env: process.env };
}

async function change(
  agent: string,
  { dryRun = false, stream = false, json }: ChangeOptions,
  isInstall: boolean,
): Promise<void> {
  if (!HOOKED_AGENTS.includes(agent))
    throw new CliError(`no hooks for "${agent}". Agents with hooks: ${HOOKED_AGENTS.join(', ')}.`, EXIT.usage);
  const command = { node: process.execPath, script: findAppFiles().agentHook, withStream: stream };
  const done = await changeHooks(agent, place(), { command: isInstall ? command : null, isDryRun: dryRun });
  if (!done.ok) throw new CliError(`${done.file} is unchanged: ${done.reason}.`, EXIT.noInput);
  const { isChanged, file, backup, events, remark } = done;
  if (json) return printJson({ version: 1, dryRun, changed: isChanged, file, backup, events, remark });
  await printLines(told({ isInstall, dryRun, isChanged, file, backup, events, remark }));
}

interface Told {
  isInstall: boolean;
  dryRun: boolean;
  isChanged: boolean;
  file: string;
  backup: string | null;
  events: readonly string[];
  remark: string | null;
}

function told({ isInstall, dryRun, isChanged, file, backup, events, remark }: Told): string[] {
  const shown = escapeLine(file);
  if (!isChanged)
    return [`Nothing to do: ${shown} ${isInstall ? 'already has the hooks' : 'has no hooks of Hansard'}.`];
  const what = isInstall
    ? `${count(events.length, 'hook')} added to ${shown}: ${events.join(', ')}.`
    : `Hooks removed from ${shown}.`;
  return [
    dryRun ? `Dry run: ${what}` : what,
    ...(backup === null ? [] : [`Old file: ${escapeLine(backup)}`]),
    ...(remark === null ? [] : [remark]),
  ];
}
