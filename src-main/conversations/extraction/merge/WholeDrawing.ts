import type { FrameRow } from '../../../contract/screen/frame.ts';
import { isSameText } from './alignRows.ts';

/** Rows with words at its beginning by which a drawing is known again; a greeting has more. */
const FIRST_ROWS = 3;
const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * What a program has drawn since the screen was erased, and whether that is all of it: some draw everything from their greeting on at
 * each frame once it is higher than the screen. Such a drawing needs no rows from before, and proves where its own belong.
 */
export class WholeDrawing {
  /** The first rows of all, with words. */
  #first: readonly FrameRow[] = [];
  #isCut = false;
  readonly #left: FrameRow[] = [];

  /** `left` rows have left the screen; the screen was erased before them. */
  take(left: readonly FrameRow[], isErased: boolean): void {
    if (isErased) this.#left.length = 0;
    this.#left.push(...left);
  }

  /** A step is kept, with `rows` of the program's; `isFromStart`: none was let go of. */
  kept(rows: readonly FrameRow[], isFromStart: boolean): void {
    this.#left.length = 0;
    this.#isCut ||= !isFromStart;
    if (!this.#isCut) this.#first = firstOf(rows);
  }

  /** The rows drawn since with those on the `screen`; null where they are not all there is. */
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
