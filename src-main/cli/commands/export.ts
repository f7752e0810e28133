import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Block } from '../../contract/block.ts';
import { findAppFiles } from '../../hosts/appFiles.ts';
import { type CastSource, exportCast } from '../../recordings/exportCast.ts';
import { fillReplayPage } from '../../shared/replay/fillReplayPage.ts';
import { asDiskError } from '../../store/files/Disk.ts';
import { readMetaAsIs } from '../../store/files/readAsIs.ts';
import { markExported } from '../../store/record/retention.ts';
import { helpText } from '../print/help.ts';
import { parseSeconds } from '../print/options.ts';
import { print, remark } from '../print/output.ts';
import { findBlock, findTerminal } from '../record/findBlocks.ts';
import { RecordReader } from '../record/RecordReader.ts';
import type { TerminalRow } from '../record/TerminalRow.ts';
import { writePrivately } from '../recording/writeCast.ts';

const FORMATS = { cast: 2, cast3: 3, html: 2 } as const;

export function addExport(program: Command): void {
  program
    .command('export')
    .description('Export an asciicast, or a page that replays it')
    .argument('[id]', 'id of a terminal or a block, the start of one, a block number (b12), or `last`', 'last')
    .option('-o, --output <file>', 'output file (- for stdout)', '-')
    .addOption(
      new Option('-f, --format <format>', 'cast: asciicast version 2; cast3: version 3; html: a page that replays it')
        .choices(Object.keys(FORMATS))
        .default('cast'),
    )
    .option('-t, --terminal <id>', 'look for the block only in this terminal')
    .option('-i, --idle-limit <seconds>', 'cap idle time on playback', parseSeconds)
    .option('--title <title>', 'title of the recording (default: the name or the command)')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(run);
}

const NOTES = [
  'A recording is raw output with its escape sequences and with secrets that were on the screen. It does not contain keystrokes',
  'or clipboard writes (OSC 52). Bytes that are not UTF-8 become U+FFFD; `hansard block --raw` prints them.',
  'A running terminal is exported up to now.',
];
const EXAMPLES = [
  ['hansard export last -o demo.cast', 'export the terminal used last'],
  ['hansard export b12 -i 2 | asciinema play -', 'play block 12 without long waits'],
  ['hansard export last -f cast3 -o demo.cast', 'export for asciinema 3'],
  ['hansard export b12 -f html -o demo.html', 'write one file that replays block 12 in any browser'],
] as const;

interface ExportOptions {
  output: string;
  format: keyof typeof FORMATS;
  terminal?: string;
  idleLimit?: number;
  title?: string;
}

async function run(wanted: string, options: ExportOptions): Promise<void> {
  const record = await RecordReader.open();
  try {
    if (record.silence) remark(record.silence);
    const { terminal, block } = await find(record, wanted, options.terminal);
    const cast = await openCast(record, { terminal, block }, options);
    if (!cast.hasTimes) remark('this was recorded without times: each block appears at its beginning, as a whole.');
    const file = options.format === 'html' ? fillReplayPage(await readReplayPage(), cast.text) : cast.text;
    if (options.output !== '-') await writePrivately(options.output, file);
    else for await (const text of file) if (!(await print(text))) return;
    if (cast.lost) record.note(cast.lost);
    await markExported(record.folder(terminal.id)).catch((error: unknown) => remark(keepRemark(error)));
  } finally {
    record.dispose();
  }
}

/** Built beside the window's own page. Rejects if the program runs from sources that were never built. */
function readReplayPage(): Promise<string> {
  return readFile(join(findAppFiles().rendererDir, 'replay.html'), 'utf8');
}

/** Ids of blocks begin with `b` and a number, those of terminals do not. */
async function find(
  record: RecordReader,
  wanted: string,
  within: string | undefined,
): Promise<{ terminal: TerminalRow; block: Block | null }> {
  if (within === undefined && !/^b\d/.test(wanted))
    return { terminal: await findTerminal(record, wanted), block: null };
  const terminals = within === undefined ? await record.listed() : [await findTerminal(record, within)];
  const block = await findBlock(record, wanted, terminals);
  return { terminal: await findTerminal(record, block.terminalId), block };
}

async function openCast(
  record: RecordReader,
  { terminal, block }: { terminal: TerminalRow; block: Block | null },
  options: ExportOptions,
): Promise<CastSource> {
  const folder = record.folder(terminal.id);
  const meta = await readMetaAsIs(folder);
  const name = terminal.name ?? (terminal.title || null);
  return exportCast({
    folder,
    meta: { ...terminal, argv: meta?.argv ?? [] },
    version: FORMATS[options.format],
    title: options.title ?? block?.cmd ?? name,
    idleLimitS: options.idleLimit ?? null,
    ...(block && { part: block }),
  });
}

function keepRemark(error: unknown): string {
  return `the record could not be marked as exported (${asDiskError(error).reason}): it may be removed when it is old`;
}
