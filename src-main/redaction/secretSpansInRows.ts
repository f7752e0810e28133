import type { FrameRow } from '../contract/screen/frame.ts';
import { mayHoldSecret } from './mayHoldSecret.ts';
import { coveredLines, LINES_ABOVE, mayBeKey, union } from './redactedLines.ts';

/** The parts of a row that redaction uses. */
export type TextRow = Pick<FrameRow, 'text' | 'wrapped'>;

/** The first rows may be the inside of a private key; with these rows above, they match as one. The last row replaces a line that was cut off. */
const HEAD: readonly TextRow[] = [
  { text: '-----BEGIN PRIVATE KEY-----', wrapped: false },
  { text: 'A'.repeat(64), wrapped: false },
];
const KEY_TEXT = /^[\s│|>"',]*([A-Za-z0-9+/=]+)[\s│|"',]*$/;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY/;
/** Lines of a key have 64, 70 or 76 characters; if a program has broken them, two pieces count as one line. */
const LINE_CHARS = 60;
const PIECE_CHARS = 24;

/** The end of a line whose token may continue in the next one; and a line that consists of it. */
const GOES_ON = /[\w+/=.-]$/;
const RUN = /^[ \t]{0,16}[\w+/=.-]+$/;
const NONE: ReadonlySet<number> = new Set();

/**
 * For each row of a screen (and of rows above it, in order), the UTF-16 units that belong to a secret. A row continues in the next one if the
 * emulator says so or if it is full, because programs that wrap lines themselves do not mark it. Rows at the very top that look like the lines of a
 * key count as one, because its header may have left the screen: redacting a certificate is better than showing a key.
 * Called for each frame that a client's wait is checked against. So only lines in which a secret may begin, and those it may continue in, are
 * examined, and known rows cost nothing.
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
      if (text.includes('PRIVATE KEY')) return coveredTogether(rows, cols); // a key may extend to the end
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

/** The rest of a line that begins above the known rows: if it is long and contains digits, it may be the end of a token. */
const REST = /^[\w+/=.-]{12,}/;

/**
 * `secretSpansInRows` of all known rows. If the first one continues a row that is not known (the record has none above), a token may have begun
 * there: redacting an id is better than showing the end of a token.
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

/** Caches for rows examined alone: whether they may contain a secret, and its units. Row objects stay the same until they change. */
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

/** `head`: number of leading rows that replace unknown ones; the next row continues them only if it is marked as wrapped. */
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

/** The covered units of `text.slice(from, to)`, where `units` are those of the whole text. */
export function slicedUnits(units: ReadonlySet<number>, { from, to }: { from: number; to: number }): Set<number> {
  return new Set([...units].filter((unit) => unit >= from && unit < to).map((unit) => unit - from));
}

/** Number of rows to read above these, so that a secret that begins there is seen whole; 0 if these are enough. */
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
