import type { SizedBy } from '../../src-main/contract/terminal.ts';

export interface Size {
  cols: number;
  rows: number;
}

/** While the window's edge is dragged, the size is sent at a pause only, because the program redraws at each size. */
const RESIZE_AFTER_MS = 80;

/** Requests a size; resolves with its owner, or undefined without an answer. */
export type AskSize = (size: Size, isTaking: boolean) => Promise<SizedBy | undefined>;

/**
 * The size that the terminal would have in this window, and the owner of its size. The core decides: the viewer that used the terminal last owns it.
 * The shown size may lag behind by all output of a busy program, so a different size does not prove another owner: the core is asked.
 */
export class ViewerSize {
  readonly #ask: AskSize;
  #told: Size | null = null;
  #asks = 0;
  #hasBegun = false;
  /** The person opened the terminal here, and the core does not know it yet. */
  #isOpening = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted = $state.raw<Size | null>(null);
  #shown = $state.raw<Size | null>(null);
  #owner = $state<SizedBy>('self');

  /** The owner of a size other than this window's, or null. */
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

  /** The size that fits into the view. */
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
   * The first state has come, so the core now answers. A size sent earlier, while the core made the state, would be lost. Opening a terminal counts
   * as using it; after a lost connection the core has no owner.
   */
  began(shown: Size): void {
    if (!this.#hasBegun) this.#isOpening = isVisible();
    this.#hasBegun = true;
    this.#shown = shown;
    this.#forgetOwner();
    this.#told = null;
    this.#tell(false);
  }

  /** The emulator has this size now. */
  resized(shown: Size): void {
    this.#shown = shown;
    this.#isOpening = false; // another viewer has used it since
    this.#forgetOwner();
    const isPaused = this.#timer === undefined; // else the core is asked soon anyway
    if (!this.#wanted || isSame(this.#wanted, shown) || !isPaused) return;
    this.#told = null;
    this.#tell(false);
  }

  /** The person uses the terminal here now. */
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

  /** Ignores all answers but that to the latest request. */
  async #answered(answer: Promise<SizedBy | undefined>, ask: number): Promise<void> {
    const owner = await answer;
    if (!owner || ask !== this.#asks) return;
    this.#owner = owner;
    this.#forgetOwner();
  }

  /**
   * This window may own the size it asked for, so another owner is forgotten: the core does not report that a viewer left. A later difference is
   * judged by the next answer, never by an old one.
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
