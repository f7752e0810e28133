import { FlowHeights } from '../list/flowHeights.ts';

/**
 * Lines are measured and drawn in chunks: one observer and one request per hundred lines.
 * 2,000, the most lines that one request may ask for, is a multiple of it.
 */
export const CHUNK_LINES = 100;

/** A range of lines to draw. `topPx`: its position in the body. */
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

/** The chunks of a block's output as a column: measured if drawn, else estimated as one row per line. */
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

  /** Sets the measured height of a drawn chunk; true if it changed. */
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

  /** Estimated top of line `n`: the lines of a chunk share the chunk's height evenly. */
  topOf(n: number): number {
    const index = Math.floor(n / CHUNK_LINES);
    const share = (n % CHUNK_LINES) / Math.max(1, linesIn(index, this.#lines));
    return this.#heights.offset(index) + this.#heights.height(index) * share;
  }
}

function linesIn(chunk: number, lines: number): number {
  return Math.max(0, Math.min(CHUNK_LINES, lines - chunk * CHUNK_LINES));
}

/** Tallest body that browsers lay out faithfully: Firefox stops at 17.8 million px, Chromium at 33.5; leaves room for other cards. */
export const MAX_BODY_PX = 12_000_000;

/** The rows to draw at a scroll position, in a body of limited height. `topPx`: top of the first of them in the body. */
export interface ScaledWindow {
  first: number;
  count: number;
  topPx: number;
}

/**
 * A column too tall for the browser: rows of one height; the scroll position is a share of the whole.
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

  /** Px of rows per px of scrolling, in a viewport of `viewPx`; 1 if the column fits. */
  ratio(viewPx: number): number {
    const room = this.totalPx - viewPx;
    return room <= 0 ? 1 : (this.#rows * this.#rowPx - viewPx) / room;
  }

  /** The rows to draw when the viewport's top is at `scrollPx` of the body, and `overscan` more at either end. */
  window(scrollPx: number, viewPx: number, overscan = 0): ScaledWindow {
    const at = Math.max(0, Math.min(scrollPx, Math.max(0, this.totalPx - viewPx)));
    const rowsPx = at * this.ratio(viewPx);
    const top = Math.floor(rowsPx / this.#rowPx);
    const first = Math.max(0, top - overscan);
    const last = Math.min(this.#rows, top + Math.ceil(viewPx / this.#rowPx) + 1 + overscan);
    // The row at the viewport's top starts `rowsPx % rowPx` above it; the rows before it follow upwards in whole rows.
    const topPx = at - (rowsPx - first * this.#rowPx);
    return { first, count: last - first, topPx };
  }

  /** The scroll position that brings row `n` to the viewport's top, or as near as the end allows. */
  scrollFor(n: number, viewPx: number): number {
    return Math.max(0, Math.min((n * this.#rowPx) / this.ratio(viewPx), this.totalPx - viewPx));
  }
}
