export interface Size {
  cols: number;
  rows: number;
}

/** A drag of the window's edge is told when it pauses: each size is a redraw of the program. */
const RESIZE_AFTER_MS = 80;

/**
 * How large the terminal would be in this window, and whether it is. The core decides: whoever uses the terminal last has it at
 * their size. So the size is only asked for, each one once, and what comes back is shown as it is.
 */
export class OwnSize {
  readonly #ask: (size: Size, isTaking: boolean) => void;
  #told: Size | null = null;
  #hasBegun = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted = $state.raw<Size | null>(null);
  #shown = $state.raw<Size | null>(null);

  /** The terminal has a size that is not this window's. */
  readonly isForeign = $derived.by(() => {
    const [wanted, shown] = [this.#wanted, this.#shown];
    return wanted !== null && shown !== null && !isSame(wanted, shown);
  });

  constructor(ask: (size: Size, isTaking: boolean) => void) {
    this.#ask = ask;
  }

  /** There is room for so much. */
  fit(size: Size): void {
    this.#wanted = size;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(false), RESIZE_AFTER_MS);
  }

  /**
   * A state has come, so there is somebody who can be asked: not before, since a size that changes while the state is being made
   * would be told to nobody. Whoever opens a terminal uses it; after a lost connection the core knows nobody's size.
   */
  began(shown: Size): void {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    this.#shown = shown;
    this.#told = null;
    this.#tell(isFirst && isVisible());
  }

  /** The emulator has that size now. */
  resized(shown: Size): void {
    this.#shown = shown;
  }

  /** The terminal is used here from now on. */
  take(): void {
    if (this.isForeign) this.#told = null;
    this.#tell(true);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #tell(isTaking: boolean): void {
    const size = this.#wanted;
    if (!this.#hasBegun || !size || (this.#told && isSame(this.#told, size))) return;
    this.#told = size;
    this.#ask(size, isTaking);
  }
}

function isSame(a: Size, b: Size): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}

function isVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible';
}
