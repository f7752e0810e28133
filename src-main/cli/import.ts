import type { Command } from 'commander';
import { BadRecording } from '../session/openRecording.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { count, formatBytes } from './formatFigures.ts';
import { helpText } from './help.ts';
import { parseScreenSize } from './options.ts';
import { print, printJson, remark } from './output.ts';
import { LiveCore } from './record/LiveCore.ts';
import { currentDataFolder } from './record/RecordReader.ts';

export function addImport(program: Command): void {
  program
    .command('import')
    .description('make a recording a terminal of the record')
    .argument('<file>', 'an asciicast (version 2 or 3), or raw terminal output such as a typescript of script(1)')
    .option('--cols <n>', 'columns of the terminal it was made in', parseScreenSize)
    .option('--rows <n>', 'rows of it', parseScreenSize)
    .option('--timing <file>', 'timing file that script(1) wrote beside a typescript')
    .option('--title <title>', 'name of the terminal (default: the title of the recording)')
    .option('--agent <name>', 'the agent that was recorded (default: told by its command or its screen)')
    .option('--json', 'one JSON document: {version, terminalId, format, rawBytes, blocks, conversations, notes}')
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
  'Nothing in a recording is vouched for: its cards are marked as not verified. Without marks of a shell it is one card.',
  'Conversations with coding agents in it are recorded as those of a live terminal.',
  'Nothing is imported from a file that is damaged in the middle; of one that is cut off, all but the last line.',
];
const EXAMPLES = [
  ['hansard import demo.cast', 'and look at it: hansard screen last'],
  ['hansard import typescript --timing timing', 'what script(1) recorded'],
  ['hansard import out.log --cols 132 --rows 43', 'bytes that a terminal of this size got'],
] as const;

interface ImportOptions {
  cols?: number;
  rows?: number;
  timing?: string;
  title?: string;
  agent?: string;
  json?: boolean;
}

async function run(file: string, options: ImportOptions): Promise<void> {
  const dataFolder = currentDataFolder();
  // Only here: it brings the emulator, which no reading command needs.
  const { importFile } = await import('../hosts/importFile.ts');
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
  const { agentNames } = await import('../session/importChats.ts');
  const known = agentNames();
  if (!known.includes(name))
    throw new CliError(`no agent "${name}" is known. There are: ${known.join(', ')}.`, EXIT.usage);
}

function explain(error: unknown): never {
  if (error instanceof BadRecording) throw new CliError(`${error.message}. Nothing was imported.`, EXIT.noInput);
  throw error;
}

/** Where a window is open it gets a tab. A core that cannot show it has it in its record all the same. */
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
