import { MediaQuery } from 'svelte/reactivity';

/** The window as it is on a phone or a tablet. */
export class Touch {
  readonly #narrow = new MediaQuery('(max-width: 699px)', false);
  readonly #coarse = new MediaQuery('(pointer: coarse)', false);
  #isOpen = $state(false);

  /** No room for the list of terminals beside the terminal: it is a drawer. */
  get isPhone(): boolean {
    return this.#narrow.current;
  }

  /** Pointed at with a finger, so the keyboard may be one on the screen, without Esc, Tab, Ctrl and arrows. */
  get isCoarse(): boolean {
    return this.#coarse.current;
  }

  get isDrawerOpen(): boolean {
    return this.#isOpen && this.isPhone;
  }

  openDrawer(): void {
    this.#isOpen = true;
  }

  closeDrawer(): void {
    this.#isOpen = false;
  }
}
