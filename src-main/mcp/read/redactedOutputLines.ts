import type { Block } from '../../contract/block.ts';
import { LINES_ABOVE, needsAbove, redactedLines } from '../../redaction/redactedLines.ts';
import { blankSecrets } from '../../redaction/redactSecrets.ts';
import { type LineBatch, type OutputView, outputLines } from '../../search/lines/outputLines.ts';
import type { OutsideTerminal } from './McpRecord.ts';

/** Redacted lines. */
export interface ToldBatch extends LineBatch {
  /** Number of redacted secrets. */
  readonly redactions: number;
  /** Bytes in the record, with the line feed, of the line at this index of the batch. */
  bytesOf(at: number): number;
}

/** Lines below that are needed to recognize the last line of a key. */
const LINES_BELOW = 2;
/** If a line is read in pieces, this much of the previous piece is examined. */
const CHARS_BEFORE = 16 * 1024;

/**
 * Lines [first, to) of an output, redacted, including secrets that span several lines. Raw bytes are not redacted. A search with a client's
 * expression must use only these lines: its matches could reveal a secret piece by piece.
 */
export async function* redactedOutputLines(
  terminal: OutsideTerminal,
  block: Block,
  { view, first, to = Number.POSITIVE_INFINITY }: { view: OutputView; first: number; to?: number },
): AsyncGenerator<ToldBatch> {
  if (view === 'raw_b64') return yield* asTheyAre(outputLines(terminal, block, { view, first }), to);
  let above: readonly string[] = [];
  for await (const batch of outputLines(terminal, block, { view, first: Math.max(0, first - LINES_ABOVE) })) {
    if (batch.n >= to) return;
    const skipped = Math.max(0, Math.min(batch.lines.length, first - batch.n));
    const before = [...above, ...batch.lines.slice(0, skipped)];
    const lines = batch.lines.slice(skipped, Math.max(skipped, to - batch.n));
    if (lines.length > 0) {
      const below = batch.lines.slice(skipped + lines.length, skipped + lines.length + LINES_BELOW);
      yield {
        n: batch.n + skipped,
        col: batch.col,
        ...redactedAmong(lines, { before, below }),
        bytesOf: bytesIn(lines),
      };
    }
    if (batch.lines.length > 1 && batch.n + batch.lines.length >= to) return; // a single line may have more pieces
    above = lastOf([...before, ...lines]);
  }
}

async function* asTheyAre(batches: AsyncIterable<LineBatch>, to: number): AsyncGenerator<ToldBatch> {
  for await (const { n, col, lines } of batches) {
    if (n >= to) return;
    const own = lines.slice(0, to - n);
    yield { n, col, lines: own, redactions: 0, bytesOf: (at) => own[at]?.length ?? 0 };
  }
}

/** Examines the lines above only where they may matter, and single lines only if the batch contains a secret. */
function redactedAmong(
  lines: readonly string[],
  { before, below }: { before: readonly string[]; below: readonly string[] },
): { lines: readonly string[]; redactions: number } {
  const text = [...lines, ...below].join('\n');
  const isPiece = (before.at(-1)?.length ?? 0) >= CHARS_BEFORE;
  const above = isPiece || needsAbove(lines) ? before : [];
  if (above.length === 0 && blankSecrets(text).count === 0) return { lines, redactions: 0 };
  const redacted = redactedLines([...lines, ...below], { above });
  const own = redacted.lines.slice(0, lines.length);
  const isChanged = own.some((line, at) => line !== lines[at]);
  return { lines: own, redactions: isChanged ? redacted.redactions : 0 };
}

function lastOf(lines: readonly string[]): string[] {
  return lines.slice(-LINES_ABOVE).map((line) => (line.length > CHARS_BEFORE ? line.slice(-CHARS_BEFORE) : line));
}

function bytesIn(lines: readonly string[]): (at: number) => number {
  return (at) => Buffer.byteLength(lines[at] ?? '') + 1;
}
