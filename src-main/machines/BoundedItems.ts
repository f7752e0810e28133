import { MAX_ITEMS } from './remoteShapes.ts';

/** Limit of all items of one list of a machine, as JSON: a hostile machine must not fill our memory with large ones. */
export const MAX_LIST_CHARS = 16 * 1024 * 1024;

/** The items of one machine by id, in the order in which they came. The oldest make room when there are too many or they are too large. */
export class BoundedItems<T> {
  readonly #items = new Map<string, { readonly item: T; readonly chars: number }>();
  #chars = 0;
  #isCut: boolean;

  /** `isCut`: items were left out already. */
  constructor(isCut = false) {
    this.#isCut = isCut;
  }

  /** Whether the machine has more items than there are here. */
  get isCut(): boolean {
    return this.#isCut;
  }

  has(id: string): boolean {
    return this.#items.has(id);
  }

  ids(): string[] {
    return [...this.#items.keys()];
  }

  all(): T[] {
    return [...this.#items.values()].map(({ item }) => item);
  }

  /** Returns the ids that made room: also that of the item itself if it is larger than all may be. */
  put(id: string, item: T): string[] {
    const chars = JSON.stringify(item).length;
    this.#chars += chars - (this.#items.get(id)?.chars ?? 0);
    this.#items.set(id, { item, chars });
    const dropped: string[] = [];
    for (const oldest of this.#items.keys()) {
      if (this.#items.size <= MAX_ITEMS && this.#chars <= MAX_LIST_CHARS) break;
      this.delete(oldest);
      dropped.push(oldest);
      this.#isCut = true;
    }
    return dropped;
  }

  delete(id: string): boolean {
    this.#chars -= this.#items.get(id)?.chars ?? 0;
    return this.#items.delete(id);
  }
}
