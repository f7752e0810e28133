export interface Size {
  cols: number;
  rows: number;
}

/**
 * Whose size a terminal has. Everyone who looks at it says how large it would be there; the one who used it last (typed, took it,
 * came last) decides, and the others show it at that size. So two windows never pull at it in turns.
 *
 * Each call returns the size that the terminal must be given now, or null when it stays as it is.
 */
export class SizeOwner {
  /** By viewer, in the order of use: the last one owns the size. */
  readonly #wanted = new Map<string, Size>();

  get owner(): string | null {
    return [...this.#wanted.keys()].at(-1) ?? null;
  }

  /** The viewer has that much room. `isTaking`: it is being used, not only there. */
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

  /** Somebody typed there. */
  used(viewer: string): Size | null {
    const size = this.#wanted.get(viewer);
    if (!size || this.owner === viewer) return null;
    this.#wanted.delete(viewer);
    this.#wanted.set(viewer, size);
    return size;
  }

  /** It looks no more; whoever used the terminal before it decides again. */
  left(viewer: string): Size | null {
    const wasOwner = this.owner === viewer;
    this.#wanted.delete(viewer);
    if (!wasOwner) return null;
    return [...this.#wanted.values()].at(-1) ?? null;
  }

  /** A viewer that only came to look has used it less than all others. */
  #putBehind(viewer: string, size: Size): void {
    const others = [...this.#wanted];
    this.#wanted.clear();
    this.#wanted.set(viewer, size);
    for (const [name, wanted] of others) this.#wanted.set(name, wanted);
  }
}
