import { untrack } from 'svelte';
import { nextFrame } from '../../terminal/nextFrame.ts';
import { CHUNK_LINES, ChunkColumn, type LineChunk, ScaledColumn } from './lineWindow.ts';

/** The scrolling element around the card, and its position. */
export interface WindowFlow {
  readonly scroller: HTMLElement | undefined;
  readonly viewPx: number;
  unpin(): void;
}

/** Drawn beyond the viewport at either end. */
const OVERSCAN_PX = 500;
const OVERSCAN_ROWS = 30;
/** Once for the estimate, once for the browser's layout, once for the measured heights. */
const REVEAL_LOOKS = 3;

export interface WindowSize {
  lines: number;
  rowPx: number;
  wraps: boolean;
}

/**
 * The drawn lines of an expanded output. With wrapping: measured chunks. Without: rows of one height, whose position is scaled if the browser cannot
 * lay out the full height.
 */
export class BlockWindow {
  readonly #size: WindowSize;
  readonly #flow: WindowFlow;
  readonly #wrapped: ChunkColumn;
  readonly #scaled: ScaledColumn;
  readonly #observer: ResizeObserver;
  #body: HTMLElement | undefined;
  #shown = '';

  chunks = $state.raw<readonly LineChunk[]>([]);
  beforePx = $state(0);
  afterPx = $state(0);
  /** Top of the rows, when lines do not wrap. */
  topPx = $state(0);

  constructor(size: WindowSize, flow: WindowFlow) {
    this.#size = size;
    this.#flow = flow;
    this.#wrapped = new ChunkColumn(size.lines, size.rowPx);
    this.#scaled = new ScaledColumn(size.lines, size.rowPx);
    this.#observer = new ResizeObserver((entries) => this.#measure(entries));
    // The body has its full height from the first layout on; with less, the browser would scroll back.
    this.afterPx = this.totalPx;
  }

  get totalPx(): number {
    return this.#size.wraps ? this.#wrapped.totalPx : this.#scaled.totalPx;
  }

  /** Attachment for the body. */
  readonly attach = (body: HTMLElement) => {
    this.#body = body;
    const onWheel = (event: WheelEvent) => this.#wheel(event);
    body.addEventListener('wheel', onWheel, { passive: false });
    untrack(() => this.#look()); // attached once, whatever `#look` reads
    return () => {
      body.removeEventListener('wheel', onWheel);
      this.#observer.disconnect();
    };
  };

  /** Attachment for each chunk. */
  readonly observe = (element: HTMLElement) => {
    this.#observer.observe(element);
    return () => this.#observer.unobserve(element);
  };

  /** Call when the list scrolled or something in it changed its height. The values are only dependencies. */
  look(..._after: readonly number[]): void {
    this.#look();
  }

  /** Scrolls line `n` into view, a third from the top. Repeats, because the body may not have its height yet and measuring moves the line. */
  async reveal(n: number): Promise<void> {
    this.#flow.unpin();
    for (let look = 0; look < REVEAL_LOOKS; look += 1) {
      const { scroller, viewPx } = this.#flow;
      if (!scroller || !this.#body) return;
      const lineTop = this.#size.wraps ? this.#wrapped.topOf(n) : this.#scaled.scrollFor(n, viewPx);
      scroller.scrollTop += this.#bodyTop() + lineTop - viewPx / 3;
      this.#look();
      await nextFrame();
    }
  }

  #look(): void {
    if (!this.#body) return;
    if (this.#size.wraps) this.#lookWrapped();
    else this.#lookScaled();
  }

  #lookWrapped(): void {
    const top = -this.#bodyTop();
    const seen = this.#wrapped.window(top - OVERSCAN_PX, top + this.#flow.viewPx + OVERSCAN_PX);
    this.#show(seen.chunks);
    this.beforePx = seen.beforePx;
    this.afterPx = seen.afterPx;
  }

  #lookScaled(): void {
    const { first, count, topPx } = this.#scaled.window(-this.#bodyTop(), this.#flow.viewPx, OVERSCAN_ROWS);
    this.#show(chunksOf(first, count));
    this.topPx = topPx;
  }

  /** Keeps the same array for the same chunks, so that scrolling within them draws nothing again. */
  #show(chunks: readonly LineChunk[]): void {
    const key = chunks.map(({ from, count }) => `${from}+${count}`).join();
    if (key === this.#shown) return;
    this.#shown = key;
    this.chunks = chunks;
  }

  #bodyTop(): number {
    const { scroller } = this.#flow;
    if (!scroller || !this.#body) return 0;
    return this.#body.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  }

  #measure(entries: readonly ResizeObserverEntry[]): void {
    if (!this.#size.wraps) return;
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      const index = Number((target as HTMLElement).dataset.chunk);
      const px = borderBoxSize[0]?.blockSize ?? 0;
      if (px > 0 && this.#wrapped.measure(index, px)) isChanged = true;
    }
    if (isChanged) this.#look();
  }

  /** In a scaled column one px of scrolling is many rows, so the wheel scrolls by rows here. */
  #wheel(event: WheelEvent): void {
    const ratio = this.#size.wraps ? 1 : this.#scaled.ratio(this.#flow.viewPx);
    const { scroller } = this.#flow;
    if (ratio <= 1.01 || !scroller || event.ctrlKey || event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL) return;
    event.preventDefault();
    const step = event.deltaY / ratio;
    scroller.scrollTop += Math.sign(step) * Math.max(1, Math.abs(step));
  }
}

/** Rows `first` to `first + count - 1`, split at the borders of the chunks in which they are loaded. */
function chunksOf(first: number, count: number): LineChunk[] {
  const chunks: LineChunk[] = [];
  for (let from = first; from < first + count; ) {
    const index = Math.floor(from / CHUNK_LINES);
    const end = Math.min(first + count, (index + 1) * CHUNK_LINES);
    chunks.push({ index, from, count: end - from });
    from = end;
  }
  return chunks;
}
