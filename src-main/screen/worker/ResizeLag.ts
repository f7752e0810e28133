/** Time after which a program that lags behind a resize has drawn itself for the new size. */
const LAG_MS = 2000;
/** From this row or column on, a program only asks for the far corner. */
const FAR_CELL = 999;

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/**
 * Whether the screen was drawn for another size. A program learns of a resize late: until then it draws for the old size. It addresses
 * cells outside the screen, or it draws single rows of an alternate screen that keeps the layout of its old width.
 */
export class ResizeLag {
  /** Rows, from 1, that are not drawn since a sign of another size. The screen is new when it is empty, or erased. */
  readonly #oldRows = new Set<number>();
  #cols: number;
  #resizedMs = Number.NEGATIVE_INFINITY;

  constructor(cols: number) {
    this.#cols = cols;
  }

  /** Whether the screen was drawn for another size, as far as is known at `nowMs`. */
  isMisfit(nowMs: number): boolean {
    if (nowMs >= this.overMs) this.#oldRows.clear();
    return this.#oldRows.size > 0;
  }

  /** The time from which the screen counts as new. */
  get overMs(): number {
    return this.#resizedMs + LAG_MS;
  }

  /** `laidOut`: the rows of an alternate screen that are not blank, from 1. */
  resized({ cols }: Size, laidOut: readonly number[], nowMs: number): void {
    this.#resizedMs = nowMs;
    if (cols !== this.#cols) for (const row of laidOut) this.#oldRows.add(row);
    this.#cols = cols;
  }

  /** The program moves its cursor to a cell. */
  moved(row: number, col: number, { cols, rows }: Size, nowMs: number): void {
    const isOutside = (row > rows && row < FAR_CELL) || (col > cols + 1 && col < FAR_CELL);
    if (!isOutside || nowMs >= this.overMs) this.#oldRows.delete(row);
    else for (let own = 1; own <= rows; own += 1) this.#oldRows.add(own);
  }

  /** The program erases the screen. */
  erased(): void {
    this.#oldRows.clear();
  }
}
