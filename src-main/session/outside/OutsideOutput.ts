import type { Block } from '../../contract/block.ts';
import { readIndex, streamOut, streamRaw } from '../../store/readRecord.ts';
import type { OutsideTerminal } from './OutsideRecord.ts';
import { PlainText } from './PlainText.ts';

/**
 * `rendered`: as the terminal showed it, progress bars and overprints resolved. `plain`: what was printed, without control sequences.
 * `raw_b64`: the bytes, up to each line feed.
 */
export type OutputView = 'rendered' | 'plain' | 'raw_b64';

/** Consecutive lines of one view. `n` is the number of the first, from 0. */
export interface LineBatch {
  readonly n: number;
  readonly lines: readonly string[];
}

/** Lines that are held at a time. */
const BATCH_LINES = 2000;
/** A line without an end is passed on in pieces of this size; each counts as a line. */
const MAX_LINE_CHARS = 1024 * 1024;

/** The lines of a block's output from `first` on. Reads from the sparse index's entry before it, so a slice far down costs the slice. */
export async function* outputLines(
  terminal: OutsideTerminal,
  block: Block,
  { view, first }: { view: OutputView; first: number },
): AsyncGenerator<LineBatch> {
  if (block.outputBytes === 0 && block.status !== 'running') return;
  terminal.live?.book.flush();
  if (view === 'rendered' && !block.ephemeral) return yield* rendered(terminal, block, first);
  const raw = streamRaw(terminal.folder, block.rawStart, block.rawEnd ?? Number.POSITIVE_INFINITY);
  if (view === 'raw_b64') return yield* split(decoded(raw, 'latin1'), { n: 0, first });
  yield* split(stripped(raw), { n: 0, first });
}

async function* rendered({ folder }: OutsideTerminal, block: Block, first: number): AsyncGenerator<LineBatch> {
  const entry =
    first < 1024 ? undefined : (await readIndex(folder, block.id)).entries.findLast((at) => at.line <= first);
  const bytes = streamOut(folder, block.id, entry?.out ?? 0);
  yield* split(decoded(bytes, 'utf-8'), { n: entry?.line ?? 0, first });
}

/** How many lines the output has in that view; of a running block: so far. */
export async function countLines(terminal: OutsideTerminal, block: Block, view: OutputView): Promise<number> {
  if (view === 'rendered' && block.status !== 'running') return block.outputLines;
  if (view === 'rendered' && terminal.live) return (await terminal.live.book.reader.lines(block.id, 0, 1)).total;
  let lines = 0;
  for await (const batch of outputLines(terminal, block, { view, first: 0 })) lines = batch.n + batch.lines.length;
  return lines;
}

async function* decoded(pieces: AsyncIterable<Uint8Array>, encoding: 'utf-8' | 'latin1'): AsyncGenerator<string> {
  if (encoding === 'latin1') {
    // one character a byte, which WHATWG's latin1 (windows-1252) is not
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
  { n, first }: { n: number; first: number },
): AsyncGenerator<LineBatch> {
  let at = n;
  let rest = '';
  let lines: string[] = [];
  for await (const text of texts) {
    const found = (rest + text).split('\n');
    rest = found.pop() ?? '';
    for (; rest.length > MAX_LINE_CHARS; rest = rest.slice(MAX_LINE_CHARS)) found.push(rest.slice(0, MAX_LINE_CHARS));
    for (const line of found) {
      if (at + lines.length < first && lines.length === 0) at += 1;
      else lines.push(line);
      if (lines.length < BATCH_LINES) continue;
      yield { n: at, lines };
      at += lines.length;
      lines = [];
    }
  }
  if (rest !== '') {
    if (at + lines.length < first) return;
    lines.push(rest);
  }
  if (lines.length > 0) yield { n: at, lines };
}
