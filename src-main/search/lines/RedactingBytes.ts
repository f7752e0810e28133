import { mayHoldSecret } from '../../redaction/mayHoldSecret.ts';
import { LINES_ABOVE, redactedLines } from '../../redaction/redactedLines.ts';

/** A placeholder for the next line: it distinguishes the last line of a key, which may be short, from a word. */
const KEY_END = '-----END PRIVATE KEY-----';
/** Size of the groups of lines that are tested together: most have no sign of a secret. */
const GROUP_BYTES = 4096;
const LF = 0x0a;

/**
 * Redacts the bytes of one text that arrives in pieces of whole lines. Bytes without a sign of a secret pass unchanged. The cost depends on the text
 * alone, never on the query.
 */
export class RedactingBytes {
  /** The last lines, from one with a sign on: a secret that began there may continue. */
  #open: readonly string[] = [];
  /** Number of redactions so far. */
  redactions = 0;

  take(bytes: Buffer): Buffer {
    const spans = this.#signed(bytes);
    if (spans.length === 0) {
      this.#open = [];
      return bytes;
    }
    const pieces: Buffer[] = [];
    let at = 0;
    for (const { from, to } of spans) {
      pieces.push(bytes.subarray(at, from), this.#redacted(bytes.subarray(from, to), from === 0 ? this.#open : []));
      at = to;
    }
    pieces.push(bytes.subarray(at));
    if (spans.at(-1)?.to !== bytes.length) this.#open = [];
    return Buffer.concat(pieces);
  }

  #redacted(bytes: Buffer, above: readonly string[]): Buffer {
    const isClosed = bytes[bytes.length - 1] === LF;
    const lines = bytes.toString('utf8', 0, isClosed ? bytes.length - 1 : bytes.length).split('\n');
    const redacted = redactedLines([...lines, KEY_END], { above });
    this.redactions += redacted.redactions;
    const all = [...above, ...lines].slice(-LINES_ABOVE);
    const began = all.findIndex(mayHoldSecret);
    this.#open = began < 0 ? [] : all.slice(began);
    if (redacted.redactions === 0) return bytes;
    return Buffer.from(`${redacted.lines.slice(0, lines.length).join('\n')}${isClosed ? '\n' : ''}`);
  }

  /** Ranges of whole lines that may contain secrets: from a line with a sign to the end of a possible key. */
  #signed(bytes: Buffer): { from: number; to: number }[] {
    const spans: { from: number; to: number }[] = [];
    if (this.#open.length > 0) spans.push({ from: 0, to: endOfLines(bytes, 0) });
    for (let from = 0; from < bytes.length; ) {
      const lf = bytes.indexOf(LF, from + GROUP_BYTES);
      const end = lf < 0 ? bytes.length : lf + 1;
      if (mayHoldSecret(bytes.toString('utf8', from, end))) {
        const last = spans.at(-1);
        const to = endOfLines(bytes, end);
        if (last && from <= last.to) spans.splice(-1, 1, { from: last.from, to });
        else spans.push({ from, to });
      }
      from = end;
    }
    return spans;
  }
}

/** Offset after as many lines as a key may have. */
function endOfLines(bytes: Buffer, from: number): number {
  let at = from;
  for (let count = 0; count < LINES_ABOVE && at < bytes.length; count += 1) {
    const lf = bytes.indexOf(LF, at);
    if (lf < 0) return bytes.length;
    at = lf + 1;
  }
  return at;
}
