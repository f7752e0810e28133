import type { Command } from 'commander';
import type { Block } from '../../contract/block.ts';
import { machineOf } from '../../shared/machineIds.ts';
import { recordFileSize } from '../../store/files/openRecordFile.ts';
import { DamagedFile } from '../../store/files/readFault.ts';
import { LineCounter } from '../../store/record/countOutLines.ts';
import { readGaps } from '../../store/record/readGaps.ts';
import { streamOut, streamRaw } from '../../store/record/readRecord.ts';
import { escapeText } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { formatBytes } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { print, printJson, remark } from '../print/output.ts';
import { findBlock, findTerminal } from '../record/findBlocks.ts';
import type { LiveCore } from '../record/LiveCore.ts';
import { RecordReader } from '../record/RecordReader.ts';

/** Most output in `--json`, because a JSON document is parsed in memory as a whole. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

export function addBlock(program: Command): void {
  program
    .command('block')
    .description('Print the output of a block')
    .argument('<id>', 'id of a block, the start of one, its number (b12), or `last` (the command that ended last)')
    .option('-t, --terminal <id>', 'look only in this terminal (an id, the start of one, or `last`)')
    .option('--raw', 'print the exact bytes, with colours and control sequences')
    .option('--json', 'one JSON document: {version, block, output or outputBase64, truncated}')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(show);
}

const NOTES = [
  'At a terminal, control characters in the text are shown as escapes; only --raw sends them.',
  `--json prints at most ${formatBytes(MAX_JSON_BYTES)} of output (truncated: true).`,
];
const EXAMPLES = [
  ['hansard block last | grep error', 'search what the last command printed'],
  ['hansard block b12 -t last --raw | less -R', 'show block 12 of the terminal used last, in colour'],
  ['hansard block last --json | jq .block.exitCode', 'print the exit code of the last command'],
] as const;

interface ShowOptions {
  terminal?: string;
  raw?: boolean;
  json?: boolean;
}

async function show(wanted: string, options: ShowOptions): Promise<void> {
  const record = await RecordReader.open();
  try {
    if (record.silence) remark(record.silence);
    const terminals =
      options.terminal === undefined ? await record.listed() : [await findTerminal(record, options.terminal)];
    const block = await findBlock(record, wanted, terminals);
    const output = options.raw ? rawOf(record, block) : textOf(record, block);
    if (options.json) return await printDocument(block, output, options.raw ?? false);
    if (options.raw || !process.stdout.isTTY) await copy(output);
    else await printSafely(output);
    if (block.status === 'interrupted' && !options.raw)
      remark('this block was interrupted: its last line may be missing here, `--raw` has all its bytes');
  } finally {
    record.dispose();
  }
}

/** The bytes of a running block extend to the end of the file. */
async function* rawOf(record: RecordReader, { terminalId, rawStart, rawEnd }: Block): AsyncGenerator<Uint8Array> {
  let at = rawStart;
  for await (const bytes of streamRaw(record.folder(terminalId), rawStart, rawEnd ?? Number.POSITIVE_INFINITY)) {
    at += bytes.length;
    yield bytes;
  }
  if (rawEnd !== null && at < rawEnd)
    throw new CliError(`the last ${rawEnd - at} bytes of this block are not on disk`, EXIT.dataErr);
  for (const { fromOffset, toOffset } of await readGaps(record.folder(terminalId)))
    if (fromOffset < at && toOffset > rawStart)
      throw new CliError(
        `bytes ${Math.max(0, fromOffset - rawStart)} to ${toOffset - rawStart} of this block were not recorded: zero bytes replace them`,
        EXIT.dataErr,
      );
}

/** Reads the file, except for text that only the core has: of a running block, and of another machine's. */
async function* textOf(record: RecordReader, block: Block): AsyncGenerator<Uint8Array> {
  const isElsewhere = machineOf(block.terminalId) !== null;
  if (record.core && (isElsewhere || block.status === 'running')) return yield* linesOf(record.core, block);
  const folder = record.folder(block.terminalId);
  const isWritten = await isThere(folder.out(block.id));
  if (record.core && !isWritten && block.outputBytes > 0) return yield* linesOf(record.core, block);
  if (!isWritten && block.outputLines > 0)
    throw new CliError('the text of this block is not on disk: `--raw` has its bytes', EXIT.dataErr);
  const counter = new LineCounter();
  for await (const bytes of streamOut(folder, block.id)) {
    counter.take(bytes);
    yield bytes;
  }
  if (block.status === 'completed' && counter.lines < block.outputLines)
    throw new CliError(
      `the text of this block ends after line ${counter.lines} of ${block.outputLines}: \`--raw\` has its bytes`,
      EXIT.dataErr,
    );
}

async function* linesOf(core: LiveCore, block: Block): AsyncGenerator<Uint8Array> {
  for await (const line of core.lines(block)) yield Buffer.from(`${line}\n`);
}

/** An empty file has no text. A damaged file counts as present: reading it returns the bytes before the damage and its place. */
async function isThere(path: string): Promise<boolean> {
  try {
    return ((await recordFileSize(path)) ?? 0) > 0;
  } catch (error) {
    if (error instanceof DamagedFile) return true;
    throw error;
  }
}

async function copy(output: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const bytes of output) if (!(await print(bytes))) return;
}

/** For a terminal: the text cannot contain control sequences, and the prompt gets a line of its own. */
async function printSafely(output: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let last = '\n';
  for await (const bytes of output) {
    const text = escapeText(decoder.decode(bytes, { stream: true }));
    if (!(await print(text))) return;
    last = text.at(-1) ?? last;
  }
  if (last !== '\n') await print('\n');
}

async function printDocument(block: Block, output: AsyncIterable<Uint8Array>, isRaw: boolean): Promise<void> {
  const { bytes, truncated } = await gather(output);
  const content = isRaw ? { outputBase64: bytes.toString('base64') } : { output: wholeText(bytes) };
  await printJson({ version: 1, block, ...content, truncated });
}

async function gather(output: AsyncIterable<Uint8Array>): Promise<{ bytes: Buffer; truncated: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of output) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_JSON_BYTES) break;
  }
  return { bytes: Buffer.concat(pieces).subarray(0, MAX_JSON_BYTES), truncated: length > MAX_JSON_BYTES };
}

/** A cut may leave part of a character at the end: streaming decoders drop it. */
function wholeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
