import type { Frame } from '../../contract/screen/frame.ts';
import { BLANK_ROW, isSameRow } from './sameRow.ts';

/** Stand for what is not a row and changes like one: spinners turn in titles, and a cursor jumps to a clock and back. */
const TITLE = -1;
const CURSOR_ROW = -2;

/** Changes that are remembered. */
const REMEMBERED = 8;
/** Fewer are no habit. */
const LEAST = 3;
/** A clock or a spinner changes a row or two; more at once is something that happens on the screen. */
const MOST_ROWS = 4;
/** A clock of seconds has changed again by then: what a change of few rows has left alone for so long is no clock's. */
const STANDS_MS = 1_200;

interface Change {
  readonly rows: readonly number[];
  /** Too many rows for a clock, or another size, buffer or epoch. */
  readonly isLarge: boolean;
}

/**
 * Tells rows that change by themselves (clocks, spinners) from those in which something happens. A row is restless when it was in more than
 * half of the last changes (at least three, eight at most) and each of them was of few rows; a large one forgets all habits. A value: `after`
 * gives the next.
 */
export class VolatileRows {
  /** What no frame has gone into yet. */
  static readonly NONE = new VolatileRows([], new Map(), false);

  readonly #recent: readonly (readonly number[])[];
  /** When each row that changed did so last. */
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

  /** What is known when `now` has followed `before`, and whether more than restless rows changed by that. */
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

  /** From then on it counts as a change; infinite while all that changed may be a clock's. A large one counts at once. */
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
