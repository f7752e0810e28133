import type { FrameRow } from '../../contract/frame.ts';
import { coveredLines, LINES_ABOVE, mayBeKey } from './redactedLines.ts';

/** A row as far as secrets go. */
export type TextRow = Pick<FrameRow, 'text' | 'wrapped'>;

/** The top of what is known may be the inside of a private key; with these above it, it is one. The last holds the place of a line that is cut off. */
const HEAD: readonly TextRow[] = [
  { text: '-----BEGIN PRIVATE KEY-----', wrapped: false },
  { text: 'A'.repeat(64), wrapped: false },
];
const KEY_TEXT = /^[\s│|>"',]*([A-Za-z0-9+/=]+)[\s│|"',]*$/;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY/;
/** Lines of a key have 64, 70 or 76 characters; where a program has broken them, two pieces tell as much as one line. */
const LINE_CHARS = 60;
const PIECE_CHARS = 24;

/**
 * Of each row of a screen (and of rows from above it, in order) the UTF-16 units that belong to a secret. A row goes on in the next one
 * where the emulator says so, and where it is full: programs that draw lines themselves say nothing. What stands at the very top and looks
 * like a key's lines is one, since its head may have left by now: better a certificate too many than a key.
 */
export function coveredRows(rows: readonly TextRow[], cols: number): readonly ReadonlySet<number>[] {
  const head = beginsInKey(rows) ? HEAD : [];
  const all = [...head, ...rows];
  const isWrapped = (at: number): boolean =>
    all[at]?.wrapped === true || (at > head.length && (all[at - 1]?.text.length ?? 0) >= cols);
  return coveredLines(
    all.map(({ text }) => text),
    { isWrapped },
  ).slice(head.length);
}

/** What is covered of `text.slice(from, to)`, when `units` are of the whole text. */
export function slicedUnits(units: ReadonlySet<number>, { from, to }: { from: number; to: number }): Set<number> {
  return new Set([...units].filter((unit) => unit >= from && unit < to).map((unit) => unit - from));
}

/** How many rows have to be read above these, so that a secret which begins there is seen whole; 0 when they can be judged as they are. */
export function rowsNeededAbove(rows: readonly TextRow[]): number {
  return rows[0]?.wrapped || mayBeKey(rows.map(({ text }) => text)) ? LINES_ABOVE : 0;
}

function beginsInKey(rows: readonly TextRow[]): boolean {
  const top: string[] = [];
  for (const { text, wrapped } of rows) {
    const run = KEY_TEXT.exec(text)?.[1];
    if (run === undefined) return KEY_END.test(text) && top.length > 0;
    const isPiece = wrapped && top.length > 0;
    if (isPiece) top[top.length - 1] += run;
    else top.push(run);
    const [first = '', second = ''] = rows[0]?.wrapped ? top.slice(1) : top;
    if (first.length >= LINE_CHARS && isMixed(first)) return true;
    if (first.length >= PIECE_CHARS && second.length >= PIECE_CHARS && isMixed(first + second)) return true;
    if (top.length > 3 && first.length < LINE_CHARS) return false;
  }
  return false;
}

function isMixed(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}
