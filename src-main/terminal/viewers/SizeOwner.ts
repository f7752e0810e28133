export interface Size {
  cols: number;
  rows: number;
}

/**
 * Decides the size of a terminal. Every viewer reports the size it would like; the one that used the terminal last (typed, took the size,
 * came last) decides, and the others show it at that size. So two windows never resize it in turns.
 *
 * Each call returns the new size of the terminal, or null if it stays.
 */
export class SizeOwner {
  /** Sizes by viewer, in the order of use: the last one owns the size. */
  readonly #wanted = new Map<string, Size>();

  get owner(): string | null {
    return [...this.#wanted.keys()].at(-1) ?? null;
  }

  /** The viewer has room for `size`. `isTaking`: it is being used, not only open. */
  want(viewer: string, size: Size, isTaking: boolean): Size | null {
    const isOwner = this.owner === viewer || this.#wanted.size === 0;
    if (isTaking || isOwner) {
      this.#wanted.delete(viewer);
      this.#wanted.set(viewer, size);
      return size;
    }
    if (this.#wanted.has(viewer)) this.#wanted.set(viewer, size);
    else this.#putBehind(viewer, size);
    return null;
  }

  /** The viewer was typed into. */
  used(viewer: string): Size | null {
    const size = this.#wanted.get(viewer);
    if (!size || this.owner === viewer) return null;
    this.#wanted.delete(viewer);
    this.#wanted.set(viewer, size);
    return size;
  }

  /** The viewer is gone; the one that used the terminal before it decides again. */
  left(viewer: string): Size | null {
    const wasOwner = this.owner === viewer;
    this.#wanted.delete(viewer);
    if (!wasOwner) return null;
    return [...this.#wanted.values()].at(-1) ?? null;
  }

  /** A viewer that was only opened counts as the least recently used. */
  #putBehind(viewer: string, size: Size): void {
    const others = [...this.#wanted];
    this.#wanted.clear();
    this.#wanted.set(viewer, size);
    for (const [name, wanted] of others) this.#wanted.set(name, wanted);
  }
}
