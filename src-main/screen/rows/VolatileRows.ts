import type { Frame } from '../../contract/screen/frame.ts';
import { BLANK_ROW, isSameRow } from './sameRow.ts';

/** Pseudo rows for the title and the cursor's row: spinners turn in titles, and a cursor jumps to a clock and back. */
const TITLE = -1;
const CURSOR_ROW = -2;

/** Number of last changes to remember. */
const REMEMBERED = 8;
/** Fewer changes are no habit. */
const LEAST = 3;
/** A clock or a spinner changes a row or two; a change of more rows is real. */
const MOST_ROWS = 4;
/** A clock with seconds would have changed again by then: rows of a small change that stay unchanged for so long are no clock's. */
const STANDS_MS = 1_200;

interface Change {
  readonly rows: readonly number[];
  /** Too many rows for a clock, or another size, buffer or epoch. */
  readonly isLarge: boolean;
}

/**
 * Distinguishes rows that change by themselves (clocks, spinners) from real changes. A row is restless if it was in more than
 * half of the last changes (at least three, at most eight) and each of them had few rows; a large change resets all habits. Immutable: `after`
 * returns the next value.
 */
export class VolatileRows {
  /** The value before any frame. */
  static readonly NONE = new VolatileRows([], new Map(), false);

  readonly #recent: readonly (readonly number[])[];
  /** Time of each row's last change. */
  readonly #changedMs: ReadonlyMap<number, number>;
  readonly #wasLarge: boolean;

  private constructor(
    recent: readonly (readonly number[])[],
    changedMs: ReadonlyMap<number, number>,
    wasLarge: boolean,
  ) {
    this.#recent = recent;
    this.#changedMs = changedMs;
    this.#wasLarge = wasLarge;
  }

  /** The next value after `now` followed `before`, and whether rows other than restless ones changed. */
  after(before: Frame, now: Frame, nowMs: number): { next: VolatileRows; isStirred: boolean } {
    const { rows, isLarge } = changeOf(before, now);
    if (!isLarge && rows.length === 0) return { next: this, isStirred: false };
    const recent = isLarge ? [] : [...this.#recent, rows].slice(-REMEMBERED);
    const changedMs = new Map([...this.#changedMs, ...rows.map((row) => [row, nowMs] as const)]);
    const next = new VolatileRows(recent, changedMs, this.#wasLarge || isLarge);
    return { next, isStirred: isLarge || rows.some((row) => !next.isRestless(row)) };
  }

  isRestless(row: number): boolean {
    if (this.#recent.length < LEAST) return false;
    return this.#recent.filter((rows) => rows.includes(row)).length > this.#recent.length / 2;
  }

  /** Time from which the changes count; infinite while all of them may be a clock's. A large change counts at once. */
  get countsFromMs(): number {
    if (this.#wasLarge) return Number.NEGATIVE_INFINITY;
    const quiet = [...this.#changedMs].filter(([row]) => !this.isRestless(row));
    return Math.min(Number.POSITIVE_INFINITY, ...quiet.map(([, atMs]) => atMs + STANDS_MS));
  }
}

function changeOf(before: Frame, now: Frame): Change {
  const isOther =
    before.epoch !== now.epoch ||
    before.altScreen !== now.altScreen ||
    before.cols !== now.cols ||
    before.rowsCount !== now.rowsCount;
  const changed = now.rows.flatMap((line, row) => (isSameRow(before.rows[row] ?? BLANK_ROW, line) ? [] : [row]));
  const rows = [
    ...changed,
    ...(before.title === now.title ? [] : [TITLE]),
    ...(before.cursor.row === now.cursor.row ? [] : [CURSOR_ROW]),
  ];
  return { rows, isLarge: isOther || changed.length > MOST_ROWS };
}
