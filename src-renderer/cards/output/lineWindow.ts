import { FlowHeights } from '../list/flowHeights.ts';

/**
 * Lines are measured and drawn in chunks: one observer and one request for a hundred lines instead of a hundred of each.
 * A multiple of it is 2,000, the most that one request may ask for.
 */
export const CHUNK_LINES = 100;

/** A stretch of lines to draw. `topPx` is where it stands in the body. */
export interface LineChunk {
  index: number;
  from: number;
  count: number;
}

export interface LineWindow {
  chunks: LineChunk[];
  beforePx: number;
  afterPx: number;
}

/** Chunks of a block's output as a column: measured where drawn, one row a line elsewhere. */
export class ChunkColumn {
  readonly #lines: number;
  readonly #heights: FlowHeights;

  constructor(lines: number, rowPx: number) {
    this.#lines = lines;
    this.#heights = new FlowHeights(Math.ceil(lines / CHUNK_LINES), (index) => rowPx * linesIn(index, lines));
  }

  get totalPx(): number {
    return this.#heights.totalPx;
  }

  /** A chunk was drawn and has this height; true when that is news. */
  measure(index: number, heightPx: number): boolean {
    return this.#heights.set(index, heightPx) !== 0;
  }

  /** The chunks that touch `fromPx`–`toPx` of the body. */
  window(fromPx: number, toPx: number): LineWindow {
    const { first, last, beforePx, afterPx } = this.#heights.range(fromPx, toPx);
    const chunks = Array.from({ length: last - first }, (_, step) => {
      const index = first + step;
      return { index, from: index * CHUNK_LINES, count: linesIn(index, this.#lines) };
    });
    return { chunks, beforePx, afterPx };
  }

  /** Where line `n` stands, as far as known: within its chunk the lines share the chunk's height evenly. */
  topOf(n: number): number {
    const index = Math.floor(n / CHUNK_LINES);
    const share = (n % CHUNK_LINES) / Math.max(1, linesIn(index, this.#lines));
    return this.#heights.offset(index) + this.#heights.height(index) * share;
  }
}

function linesIn(chunk: number, lines: number): number {
  return Math.max(0, Math.min(CHUNK_LINES, lines - chunk * CHUNK_LINES));
}

/** Tallest body a browser lays out faithfully: Firefox stops at 17.8 million px, Chromium at 33.5; leaves room for other cards. */
export const MAX_BODY_PX = 12_000_000;

/** Rows that a body of bounded height shows at a scroll position. `topPx`: where the first of them is drawn in the body. */
export interface ScaledWindow {
  first: number;
  count: number;
  topPx: number;
}

/**
 * A column too tall for the browser: rows of one height, and the scroll position stands for a share of the whole.
 * Every row can be reached, the first at the top and the last at the very end; one px of scrolling is `ratio` px of rows.
 */
export class ScaledColumn {
  readonly #rows: number;
  readonly #rowPx: number;
  readonly totalPx: number;

  constructor(rows: number, rowPx: number) {
    this.#rows = rows;
    this.#rowPx = rowPx;
    this.totalPx = Math.min(rows * rowPx, MAX_BODY_PX);
  }

  /** Px of rows that one px of scrolling passes, in a viewport of `viewPx`. 1 where the column fits. */
  ratio(viewPx: number): number {
    const room = this.totalPx - viewPx;
    return room <= 0 ? 1 : (this.#rows * this.#rowPx - viewPx) / room;
  }

  /** The rows to draw with the viewport's top at `scrollPx` of the body. `overscan` more at either end. */
  window(scrollPx: number, viewPx: number, overscan = 0): ScaledWindow {
    const at = Math.max(0, Math.min(scrollPx, Math.max(0, this.totalPx - viewPx)));
    const rowsPx = at * this.ratio(viewPx);
    const top = Math.floor(rowsPx / this.#rowPx);
    const first = Math.max(0, top - overscan);
    const last = Math.min(this.#rows, top + Math.ceil(viewPx / this.#rowPx) + 1 + overscan);
    // The row at the viewport's top starts `rowsPx % rowPx` above it; those before it hang on in whole rows.
    const topPx = at - (rowsPx - first * this.#rowPx);
    return { first, count: last - first, topPx };
  }

  /** The scroll position that brings row `n` to the viewport's top, or as near as the end allows. */
  scrollFor(n: number, viewPx: number): number {
    return Math.max(0, Math.min((n * this.#rowPx) / this.ratio(viewPx), this.totalPx - viewPx));
  }
}
