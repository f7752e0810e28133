import type { Command } from 'commander';
import { BadRecording } from '../../recordings/openRecording.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count, formatBytes } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { parseScreenSize } from '../print/options.ts';
import { print, printJson, remark } from '../print/output.ts';
import { LiveCore } from '../record/LiveCore.ts';
import { currentDataFolder } from '../record/RecordReader.ts';

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Import past conversations, or a recording')
    .argument(
      '[what...]',
      'names of agents whose logs are imported (default: all); or one recording: an asciicast or raw terminal output',
    )
    .option('-n, --dry-run', 'count the conversations in agent logs, and import nothing')
    .option('--cols <n>', 'columns of the recorded terminal', parseScreenSize)
    .option('--rows <n>', 'rows of the recorded terminal', parseScreenSize)
    .option('--timing <file>', 'timing file that script(1) wrote beside a typescript')
    .option('--title <title>', 'name of the terminal (default: the title of the recording)')
    .option('--agent <name>', 'the recorded agent (default: found by its command or its screen)')
    .option(
      '--json',
      'one JSON document: {version, terminalId, format, rawBytes, blocks, conversations, notes}; of agents, a report',
    )
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'usage', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(run);
}

const NOTES = [
  'Agents keep logs of their conversations. An import copies these into the record, where search and History find them. It reads only',
  'what is new, and never writes to an agent’s files. Write ./NAME for a recording that has the name of an agent.',
  'Cards of a recording are marked as not verified. A recording without marks of a shell becomes one card.',
  'Conversations with coding agents in the recording are extracted.',
  'A file that is damaged in the middle is refused; a file that is cut off is imported without its last line.',
];
const EXAMPLES = [
  ['hansard import --dry-run', 'count the conversations in the agent logs of this machine'],
  ['hansard import', 'import them; later, only new ones'],
  ['hansard import demo.cast', 'import it; then: hansard screen last'],
  ['hansard import typescript --timing timing', 'import a recording of script(1)'],
  ['hansard import out.log --cols 132 --rows 43', 'import raw output of a terminal of this size'],
] as const;

interface ImportOptions {
  cols?: number;
  rows?: number;
  timing?: string;
  title?: string;
  agent?: string;
  json?: boolean;
  dryRun?: boolean;
}

async function run(what: string[], options: ImportOptions): Promise<void> {
  const { importLogs, isAgents } = await import('../past/importLogs.ts');
  if (isAgents(what)) return importLogs(what, options);
  const [file, ...others] = what;
  if (file === undefined || others.length > 0)
    throw new CliError('give one recording, or names of agents: see `hansard import --help`.', EXIT.usage);
  if (options.dryRun) throw new CliError('--dry-run works for agent logs only, not for a recording.', EXIT.usage);
  await importRecorded(file, options);
}

async function importRecorded(file: string, options: ImportOptions): Promise<void> {
  const dataFolder = currentDataFolder();
  // Imported here, because it loads the emulator, which no reading command needs.
  const { importFile } = await import('../../hosts/importFile.ts');
  if (options.agent !== undefined) await requireAgent(options.agent);
  const { id, rawBytes, blocks, conversations, notes, format } = await importFile(dataFolder, file, options).catch(
    explain,
  );
  for (const note of notes) remark(note);
  await show(dataFolder, id);
  if (options.json) return printJson({ version: 1, terminalId: id, format, rawBytes, blocks, conversations, notes });
  const chats = conversations > 0 ? `, ${count(conversations, 'conversation')}: \`hansard chats -t ${id}\`` : '';
  remark(`${format}: ${formatBytes(rawBytes)}, ${count(blocks, 'block')}${chats}`);
  await print(`${id}\n`);
}

async function requireAgent(name: string): Promise<void> {
  const { agentNames } = await import('../../recordings/importChats.ts');
  const known = agentNames();
  if (!known.includes(name))
    throw new CliError(`unknown agent "${name}". Known agents: ${known.join(', ')}.`, EXIT.usage);
}

function explain(error: unknown): never {
  if (error instanceof BadRecording) throw new CliError(`${error.message}. Nothing was imported.`, EXIT.noInput);
  throw error;
}

/** Gives it a tab if a window is open. If the core cannot show it, it is still in the record. */
async function show(dataFolder: string, id: string): Promise<void> {
  const found = await LiveCore.find(dataFolder);
  if (found.status !== 'ok') return;
  try {
    await found.core.openRecorded(id);
  } catch (error) {
    remark(
      `it is recorded, but the running Hansard did not show it: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    found.core.dispose();
  }
}
