import type { SizedBy } from '../../src-main/contract/terminal.ts';

export interface Size {
  cols: number;
  rows: number;
}

/** A drag of the window's edge is told when it pauses: each size is a redraw of the program. */
const RESIZE_AFTER_MS = 80;

/** Asks for a size; resolves with who decides on it, or undefined when there is no answer. */
export type AskSize = (size: Size, isTaking: boolean) => Promise<SizedBy | undefined>;

/**
 * How large the terminal would be in this window, and whose size it has. The core decides: whoever uses the terminal last has it at
 * their size. What is shown may be older than that, by a busy program's whole output, so a size that differs is never taken for
 * somebody else's: the core is asked.
 */
export class ViewerSize {
  readonly #ask: AskSize;
  #told: Size | null = null;
  #asks = 0;
  #hasBegun = false;
  /** The person has opened the terminal here, and the core is still to be told. */
  #isOpening = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted = $state.raw<Size | null>(null);
  #shown = $state.raw<Size | null>(null);
  #owner = $state<SizedBy>('self');

  /** Who gave the terminal a size that is not this window's, or null. */
  readonly foreign = $derived.by(() => {
    const [wanted, shown, owner] = [this.#wanted, this.#shown, this.#owner];
    return owner === 'self' || wanted === null || shown === null || isSame(wanted, shown) ? null : owner;
  });

  constructor(ask: AskSize) {
    this.#ask = ask;
  }

  get isForeign(): boolean {
    return this.foreign !== null;
  }

  /** There is room for so much. */
  fit(size: Size): void {
    this.#wanted = size;
    this.#forgetOwner();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tell(false);
    }, RESIZE_AFTER_MS);
  }

  /**
   * A state has come, so there is somebody who can be asked: not before, since a size that changes while the state is being made
   * would be told to nobody. Whoever opens a terminal uses it; after a lost connection the core knows nobody's size.
   */
  began(shown: Size): void {
    if (!this.#hasBegun) this.#isOpening = isVisible();
    this.#hasBegun = true;
    this.#shown = shown;
    this.#forgetOwner();
    this.#told = null;
    this.#tell(false);
  }

  /** The emulator has that size now. */
  resized(shown: Size): void {
    this.#shown = shown;
    this.#isOpening = false; // somebody has used it since
    this.#forgetOwner();
    const isPaused = this.#timer === undefined; // else the core is asked soon anyway
    if (!this.#wanted || isSame(this.#wanted, shown) || !isPaused) return;
    this.#told = null;
    this.#tell(false);
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
    this.#asks += 1;
    void this.#answered(this.#ask(size, isTaking || this.#isOpening), this.#asks);
    this.#isOpening = false;
  }

  /** A later question has a later answer. */
  async #answered(answer: Promise<SizedBy | undefined>, ask: number): Promise<void> {
    const owner = await answer;
    if (!owner || ask !== this.#asks) return;
    this.#owner = owner;
    this.#forgetOwner();
  }

  /**
   * The size that this window asked for is a size that it may own: another owner is forgotten, since nobody says that it left. A size
   * that differs later is judged by the next answer, never by an old one.
   */
  #forgetOwner(): void {
    const shown = this.#shown;
    const isOwn = shown && [this.#wanted, this.#told].some((size) => size && isSame(size, shown));
    if (isOwn) this.#owner = 'self';
  }
}

function isSame(a: Size, b: Size): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}

function isVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible';
}
