import type { SearchAddon } from '@xterm/addon-search';
import type { Terminal } from '@xterm/xterm';

/** Searches the rows of a live terminal. Its code is loaded with the first search. */
export class LiveSearch {
  readonly #xterm: Terminal;
  #addon: Promise<SearchAddon> | undefined;

  constructor(xterm: Terminal) {
    this.#xterm = xterm;
  }

  /** Selects the next or the previous hit. Rejects if the code cannot be loaded. */
  async step(by: 1 | -1, query: string, regex: boolean): Promise<void> {
    this.#addon ??= this.#load();
    const addon = await this.#addon;
    if (by > 0) addon.findNext(query, { regex });
    else addon.findPrevious(query, { regex });
  }

  clear(): void {
    this.#addon?.then(
      (addon) => addon.clearDecorations(),
      () => undefined, // nothing was found without it
    );
  }

  async #load(): Promise<SearchAddon> {
    try {
      const { SearchAddon } = await import('@xterm/addon-search');
      const addon = new SearchAddon();
      this.#xterm.loadAddon(addon);
      return addon;
    } catch (error) {
      this.#addon = undefined; // the next step loads it again
      throw error;
    }
  }
}
