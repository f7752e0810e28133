/** Growths after which the browser may still fall back: those of a few frames. */
const KEPT_ENDS = 8;
/** Scroll positions are rounded. */
const NEAR_PX = 1;

/**
 * Knows a fall back to the end that the column had before it grew. Safari limits a scroll position to the height of an earlier frame if the column
 * grew in the same frame, and reports it as a scroll some frames later. No reader caused that scroll.
 */
export class PastEnds {
  #heightPx = 0;
  #pastPx: number[] = [];

  /** Call with each scroll to the end. */
  note({ scrollHeight }: HTMLElement): void {
    if (scrollHeight === this.#heightPx) return;
    this.#pastPx = [...this.#pastPx.slice(1 - KEPT_ENDS), this.#heightPx];
    this.#heightPx = scrollHeight;
  }

  /** Call when the reader acts: they may scroll to a past end themselves. */
  forget(): void {
    this.#pastPx = [];
  }

  /** Call with each scroll event; true if the browser fell back. True only once for each end. */
  take({ scrollTop, clientHeight }: HTMLElement): boolean {
    const at = this.#pastPx.findIndex((px) => Math.abs(px - clientHeight - scrollTop) <= NEAR_PX);
    if (at === -1) return false;
    this.#pastPx.splice(at, 1); // the older ones stay, because the falls may come in any order
    return true;
  }
}
