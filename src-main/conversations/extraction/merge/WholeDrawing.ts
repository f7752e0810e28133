import type { FrameRow } from '../../../contract/screen/frame.ts';
import { isSameText } from './alignRows.ts';

/** Number of rows with words that identify the beginning of a drawing. Every greeting has more. */
const FIRST_ROWS = 3;
const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * Collects what a program draws after it erased the screen, and checks whether this is its whole output. Some programs redraw everything
 * from their greeting on with each frame once it is taller than the screen. A whole drawing replaces all earlier rows.
 */
export class WholeDrawing {
  /** The first rows with words that the program ever drew. */
  #first: readonly FrameRow[] = [];
  #isCut = false;
  readonly #left: FrameRow[] = [];

  /** `left`: rows that scrolled off. `isErased`: the program erased the screen before them. */
  take(left: readonly FrameRow[], isErased: boolean): void {
    if (isErased) this.#left.length = 0;
    this.#left.push(...left);
  }

  /** A step was kept. `rows`: the program's rows. `isFromStart`: they begin with its first row. */
  kept(rows: readonly FrameRow[], isFromStart: boolean): void {
    this.#left.length = 0;
    this.#isCut ||= !isFromStart;
    if (!this.#isCut) this.#first = firstOf(rows);
  }

  /** Returns the rows drawn since the erasure including the `screen`, or null if they are not the whole output. */
  rowsWith(screen: readonly FrameRow[]): readonly FrameRow[] | null {
    const rows = [...this.#left, ...screen];
    return this.#first.length === FIRST_ROWS && isBeginning(this.#first, firstOf(rows)) ? rows : null;
  }
}

function firstOf(rows: readonly FrameRow[]): FrameRow[] {
  const first: FrameRow[] = [];
  for (const row of rows) {
    if (HAS_WORDS.test(row.text)) first.push(row);
    if (first.length === FIRST_ROWS) break;
  }
  return first;
}

function isBeginning(first: readonly FrameRow[], rows: readonly FrameRow[]): boolean {
  return first.every((row, at) => isSameText(row, rows[at]));
}
