import type { Block } from '../../contract/block.ts';
import { INDEX_EVERY_LINES } from '../../contract/block.ts';
import { recordFileSize } from '../../store/files/openRecordFile.ts';
import { DamagedFile } from '../../store/files/readFault.ts';
import { readGaps, streamShown } from '../../store/record/readGaps.ts';
import { readIndex, streamOut } from '../../store/record/readRecord.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';
import { PlainText } from './PlainText.ts';

/**
 * `rendered`: as the terminal showed it, progress bars and overprints resolved. `plain`: the output without control sequences.
 * `raw_b64`: the bytes, a character each; a line includes its line feed, so that joined lines are the bytes.
 */
export type OutputView = 'rendered' | 'plain' | 'raw_b64';

/** Consecutive lines of one view. `n`: number of the first, from 0. `col`: its first column here. */
export interface LineBatch {
  readonly n: number;
  readonly lines: readonly string[];
  /** Above 0 only for a later piece of a line that is too long to hold; its pieces come alone. */
  readonly col: number;
}

/** Size of an output in one view; of a running block, so far. */
export interface OutputSize {
  readonly lines: number;
  readonly bytes: number;
}

/** The terminal of the output: its folder, and the store of its blocks if it is open. */
export interface OutputOwner {
  readonly folder: SessionFolder;
  readonly live: { readonly book: OpenBlocks } | null;
}

interface OpenBlocks {
  /** Writes buffered bytes. */
  flush(): void;
  readonly reader: {
    lines(blockId: string, from: number, count: number): Promise<{ total: number }>;
    requireText(blockId: string): Promise<void>;
    requireBytes(block: Block): Promise<void>;
  };
}

/** Most lines held at a time. */
const BATCH_LINES = 2000;
/** A line without an end is passed on in pieces of this size. */
const MAX_LINE_CHARS = 1024 * 1024;

/**
 * The lines of a block's output from `first` on. Starts at the sparse index's entry before it, so that a slice far down costs only the slice.
 * Rejects if the disk has refused a part so far.
 */
export async function* outputLines(
  terminal: OutputOwner,
  block: Block,
  { view, first }: { view: OutputView; first: number },
): AsyncGenerator<LineBatch> {
  if (block.outputBytes === 0 && block.status !== 'running') return;
  terminal.live?.book.flush();
  if (view === 'rendered' && !block.ephemeral) return yield* rendered(terminal, block, first);
  await terminal.live?.book.reader.requireBytes(block);
  const raw = await rawOf(terminal.folder, block, view);
  if (view === 'raw_b64') return yield* split(decoded(raw, 'latin1'), { n: 0, first, lineEnd: '\n' });
  yield* split(stripped(raw), { n: 0, first, lineEnd: '' });
}

/** The recorded bytes; the plain view names those that could not be recorded. */
async function rawOf(
  folder: SessionFolder,
  { rawStart: from, rawEnd }: Block,
  view: OutputView,
): Promise<AsyncGenerator<Uint8Array>> {
  const gaps = view === 'raw_b64' ? [] : await readGaps(folder);
  return streamShown(folder, { from, to: rawEnd ?? Number.POSITIVE_INFINITY, isEnded: rawEnd !== null }, gaps);
}

async function* rendered(terminal: OutputOwner, block: Block, first: number): AsyncGenerator<LineBatch> {
  const { folder } = terminal;
  await requireText(terminal, block);
  const { n, pieces } = await outputBytes(folder, block, { view: 'rendered', first });
  let end = Math.max(n, first);
  for await (const batch of split(decoded(pieces, 'utf-8'), { n, first, lineEnd: '' })) {
    end = batch.n + batch.lines.length;
    yield batch;
  }
  if (block.status === 'completed' && end < block.outputLines)
    throw new DamagedFile(folder.out(block.id), `ends after line ${end} of ${block.outputLines}`);
}

/** The bytes of a view in pieces, from line `n` on, which is `first` or before it. */
export async function outputBytes(
  folder: SessionFolder,
  block: Block,
  { view, first }: { view: OutputView; first: number },
): Promise<{ n: number; pieces: AsyncGenerator<Uint8Array> }> {
  if (view === 'rendered' && !block.ephemeral) {
    const index = first < INDEX_EVERY_LINES ? null : await readIndex(folder, block.id);
    const entry = index?.entries.findLast((at) => at.line <= first);
    return { n: entry?.line ?? 0, pieces: streamOut(folder, block.id, entry?.out ?? 0) };
  }
  const raw = await rawOf(folder, block, view);
  return { n: 0, pieces: view === 'raw_b64' ? raw : encoded(stripped(raw)) };
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

/** A missing text is one that a full disk has refused: there are no parts of texts on disk. */
async function requireText({ folder, live }: OutputOwner, block: Block): Promise<void> {
  if (live) return live.book.reader.requireText(block.id);
  const path = folder.out(block.id);
  const isMissing = block.status !== 'running' && block.outputLines > 0 && ((await recordFileSize(path)) ?? 0) === 0;
  if (isMissing) throw new DamagedFile(path, 'is not there, or empty');
}

/** Rejects like `outputLines`. */
export async function measureOutput(terminal: OutputOwner, block: Block, view: OutputView): Promise<OutputSize> {
  const { folder, live } = terminal;
  live?.book.flush();
  if (view === 'rendered' && !block.ephemeral && (block.status !== 'running' || live)) {
    await requireText(terminal, block);
    const bytes = (await recordFileSize(folder.out(block.id))) ?? 0;
    if (block.status !== 'running') return { lines: block.outputLines, bytes };
    return { lines: (await live?.book.reader.lines(block.id, 0, 1))?.total ?? 0, bytes };
  }
  let lines = 0;
  let bytes = 0;
  for await (const batch of outputLines(terminal, block, { view, first: 0 })) {
    lines = batch.n + batch.lines.length;
    for (const line of batch.lines) bytes += view === 'raw_b64' ? line.length : Buffer.byteLength(line) + 1;
  }
  return { lines, bytes };
}

async function* decoded(pieces: AsyncIterable<Uint8Array>, encoding: 'utf-8' | 'latin1'): AsyncGenerator<string> {
  if (encoding === 'latin1') {
    // a character per byte; WHATWG's latin1 (windows-1252) differs
    for await (const piece of pieces) yield Buffer.from(piece).toString('latin1');
    return;
  }
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

async function* stripped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const plain = new PlainText();
  for await (const piece of pieces) yield plain.feed(piece);
  yield plain.end();
}

async function* split(
  texts: AsyncIterable<string>,
  { n, first, lineEnd }: { n: number; first: number; lineEnd: '' | '\n' },
): AsyncGenerator<LineBatch> {
  const lines = new Lines(n, first);
  let rest = '';
  for await (const text of texts) {
    const found = (rest + text).split('\n');
    rest = found.pop() ?? '';
    for (const line of found) yield* lines.take(line + lineEnd, true);
    for (; rest.length > MAX_LINE_CHARS; rest = rest.slice(MAX_LINE_CHARS))
      yield* lines.take(rest.slice(0, MAX_LINE_CHARS), false);
  }
  if (rest !== '') yield* lines.take(rest, true);
  yield* lines.rest();
}

/** Gathers lines into batches and numbers them. */
class Lines {
  readonly #first: number;
  /** Number of the next line. */
  #n: number;
  #col = 0;
  #held: string[] = [];

  constructor(n: number, first: number) {
    this.#n = n;
    this.#first = first;
  }

  /** `isWhole`: the line ends with it. */
  *take(line: string, isWhole: boolean): Generator<LineBatch> {
    const [n, col] = [this.#n, this.#col];
    this.#n += isWhole ? 1 : 0;
    this.#col = isWhole ? 0 : col + line.length;
    if (n < this.#first) return;
    if (isWhole && col === 0) {
      this.#held.push(line);
      if (this.#held.length === BATCH_LINES) yield* this.rest();
      return;
    }
    if (this.#held.length > 0) yield { n: n - this.#held.length, lines: this.#held, col: 0 };
    this.#held = [];
    yield { n, lines: [line], col };
  }

  *rest(): Generator<LineBatch> {
    if (this.#held.length > 0) yield { n: this.#n - this.#held.length, lines: this.#held, col: 0 };
    this.#held = [];
  }
}
