import type { FrameRow } from '../contract/screen/frame.ts';
import { mayHoldSecret } from './mayHoldSecret.ts';
import { coveredLines, LINES_ABOVE, mayBeKey, union } from './redactedLines.ts';

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

/** What a line ends with, or is, whose token may go on in the next. */
const GOES_ON = /[\w+/=.-]$/;
const RUN = /^[ \t]{0,16}[\w+/=.-]+$/;
const NONE: ReadonlySet<number> = new Set();

/**
 * Of each row of a screen (and of rows from above it, in order) the UTF-16 units that belong to a secret. A row goes on in the next one
 * where the emulator says so, and where it is full: programs that draw lines themselves say nothing. What stands at the very top and looks
 * like a key's lines is one, since its head may have left by now: better a certificate too many than a key.
 *
 * Asked for each frame that a client's wait is judged on: only lines in which a secret may begin, and those it may go on in, are looked
 * through, and rows that were known already cost nothing.
 */
export function secretSpansInRows(rows: readonly TextRow[], cols: number): readonly ReadonlySet<number>[] {
  if (beginsInKey(rows)) return coveredTogether([...HEAD, ...rows], cols, HEAD.length).slice(HEAD.length);
  const covered = rows.map(() => NONE);
  for (let at = 0; at < rows.length; ) {
    const first = at;
    at = lineEnd(rows, first, cols);
    let line = rows.slice(first, at);
    if (!mayLineHold(line)) continue;
    for (;;) {
      const text = textOf(line);
      if (text.includes('PRIVATE KEY')) return coveredTogether(rows, cols); // it may go on to the end
      const goes = mayLineHold(line) ? GOES_ON.test(text) : RUN.test(text) || RUN.test(line.at(-1)?.text ?? '');
      if (at >= rows.length || !goes) break;
      const from = at;
      at = lineEnd(rows, from, cols);
      line = rows.slice(from, at);
    }
    for (const [n, units] of coveredNear(rows.slice(first, at), cols).entries()) covered[first + n] = units;
  }
  return covered;
}

/** What a line that begins above begins with here: as long as no word is, and with digits, it may be the end of a token. */
const REST = /^[\w+/=.-]{12,}/;

/**
 * `coveredRows` of all that is known. Where its top goes on from a row that is not (the record has none from above), a token may have begun there:
 * better an id too many than the end of a token.
 */
export function coveredFromTop(rows: readonly TextRow[], cols: number): readonly ReadonlySet<number>[] {
  const covered = secretSpansInRows(rows, cols);
  if (!rows[0]?.wrapped) return covered;
  const line = rows.slice(0, lineEnd(rows, 0, cols));
  const [rest = ''] = REST.exec(textOf(line)) ?? [];
  if (!/\d/.test(rest) || !/[a-z]/i.test(rest)) return covered;
  let left = rest.length;
  const own = line.map(({ text }) => {
    const length = Math.min(left, text.length);
    left -= length;
    return new Set(Array.from({ length }, (_, unit) => unit));
  });
  return covered.map((units, at) => union(units, own[at]));
}

/** Of rows that were looked at alone, whether they may hold a secret, and what of them does: they stay the same objects while nothing happens to them. */
const mayHold = new WeakMap<TextRow, boolean>();
const held = new WeakMap<TextRow, ReadonlySet<number>>();

function mayLineHold(line: readonly TextRow[]): boolean {
  const [row] = line;
  if (!row || line.length > 1) return mayHoldSecret(textOf(line));
  const known = mayHold.get(row) ?? mayHoldSecret(row.text);
  mayHold.set(row, known);
  return known;
}

function coveredNear(rows: readonly TextRow[], cols: number): readonly ReadonlySet<number>[] {
  const [row] = rows;
  if (!row || rows.length > 1) return coveredTogether(rows, cols);
  const known = held.get(row) ?? coveredTogether(rows, cols)[0] ?? NONE;
  held.set(row, known);
  return [known];
}

/** `head`: so many rows at their beginning stand for what is not known, and the next goes on from nothing there unless it says so. */
function coveredTogether(rows: readonly TextRow[], cols: number, head = 0): readonly ReadonlySet<number>[] {
  return coveredLines(
    rows.map(({ text }) => text),
    { isWrapped: (at) => (at === head ? rows[at]?.wrapped === true : goesOn(rows, at, cols)) },
  );
}

/** Behind the last row of the line that begins in row `first`. */
function lineEnd(rows: readonly TextRow[], first: number, cols: number): number {
  let end = first + 1;
  while (end < rows.length && goesOn(rows, end, cols)) end += 1;
  return end;
}

function goesOn(rows: readonly TextRow[], at: number, cols: number): boolean {
  return rows[at]?.wrapped === true || (rows[at - 1]?.text.length ?? 0) >= cols;
}

function textOf(line: readonly TextRow[]): string {
  return line.map(({ text }) => text).join('');
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
