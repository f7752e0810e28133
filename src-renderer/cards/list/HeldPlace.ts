/** Less than this is rounding. */
const MOVED_PX = 0.5;
/** For this time after a hand's last event a reader still scrolls, and for this time after a change of height Safari may still fall back. In ms. */
const SETTLES_MS = 1_000;

/**
 * Keeps what a reader sees in its place when a height above it changes, and knows scrolls that are no reader's, in browsers without scroll anchoring
 * (Safari). Does nothing in the others.
 */
export class HeldPlace {
  readonly #isNeeded = typeof CSS !== 'undefined' && !CSS.supports('overflow-anchor', 'auto');
  #seen: Element | undefined;
  /** Top of that element in the column; no scroll changes it. */
  #topPx = 0;
  #handMs = Number.NEGATIVE_INFINITY;
  #sizePx = '';
  #sizedMs = Number.NEGATIVE_INFINITY;

  /** The reader scrolls, or does what may scroll. */
  takeHand(): void {
    this.#handMs = performance.now();
  }

  /**
   * Whether this scroll is not the reader's. Safari limits a scroll to the end to that of an earlier frame if the column grew in the same frame, and
   * reports it as a scroll some frames later.
   */
  isFall({ scrollHeight, clientHeight }: HTMLElement): boolean {
    if (!this.#isNeeded) return false;
    const nowMs = performance.now();
    const sizePx = `${scrollHeight} ${clientHeight}`;
    if (sizePx !== this.#sizePx) this.#sizedMs = nowMs;
    this.#sizePx = sizePx;
    return nowMs - this.#sizedMs < SETTLES_MS && nowMs - this.#handMs >= SETTLES_MS;
  }

  /** Remembers the first line or item in view. */
  note(scroller: HTMLElement): void {
    if (!this.#isNeeded) return;
    const viewTop = scroller.getBoundingClientRect().top;
    const inView = (element: Element) => element.getBoundingClientRect().bottom > viewTop + 1;
    const item = [...scroller.querySelectorAll('[data-flow]')].find(inView);
    const isCut = item !== undefined && item.getBoundingClientRect().top < viewTop;
    this.#seen = (isCut && [...item.querySelectorAll('[data-n]')].find(inView)) || item;
    if (this.#seen) this.#topPx = topIn(scroller, this.#seen);
  }

  /** Scrolls by as much as that element has moved since. Call before the next frame is painted. */
  restore(scroller: HTMLElement): void {
    if (!this.#seen?.isConnected) return;
    const movedPx = topIn(scroller, this.#seen) - this.#topPx;
    if (Math.abs(movedPx) > MOVED_PX) scroller.scrollTop += movedPx;
  }
}

function topIn(scroller: HTMLElement, element: Element): number {
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
}
