/** A step of more than this part of the view is too fast to read: half a view per frame. */
const FAST_VIEWS = 0.5;
/** A fast scroll is over when no fast step came for this long. On a slow machine one frame may take as long. */
const LANDED_MS = 120;

/**
 * Whether a list scrolls too fast to read, for example when its bar is dragged. Cards leave out details meanwhile and draw them once it is over.
 * A single jump does not count: only a fast step soon after another one does.
 */
export class FastScroll {
  isOn = $state(false);
  #landing: ReturnType<typeof setTimeout> | undefined;

  /** The list was scrolled by `px` in one step. */
  step(px: number, viewPx: number): void {
    if (Math.abs(px) <= viewPx * FAST_VIEWS) return;
    if (this.#landing !== undefined) this.isOn = true;
    clearTimeout(this.#landing);
    this.#landing = setTimeout(() => this.land(), LANDED_MS);
  }

  land(): void {
    clearTimeout(this.#landing);
    this.#landing = undefined;
    this.isOn = false;
  }
}
