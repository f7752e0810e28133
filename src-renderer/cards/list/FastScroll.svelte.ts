/** A step of more than this part of the view leaves nobody the time to read: half a view in each picture. */
const FAST_VIEWS = 0.5;
/** A flight is over when no fast step came for this long; on a slow machine a picture may take as much. */
const LANDED_MS = 120;

/**
 * Whether a list is scrolled so fast that nobody can read what goes by, as when its bar is dragged. What is drawn meanwhile may leave out
 * what nobody would see, and has it once the flight is over. A single jump is none: only a fast step soon after another is.
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
