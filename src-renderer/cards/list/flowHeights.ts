/** Items `first` to `last - 1` are drawn; `beforePx` and `afterPx` are the heights of the others. All in px. */
export interface FlowRange {
  first: number;
  last: number;
  beforePx: number;
  afterPx: number;
}

/** Keys of items with special treatment in the column; null = there is no such item now. */
export interface FlowKeys {
  /** The item that is always drawn, wherever the reader is. */
  kept(): string | null;
  /** The item that is out of sight for a reader at the end, with all items before it, however short the rest is. */
  above(): string | null;
}

/**
 * Heights of a long column of which only a part is drawn: measured where an item was drawn once, estimated elsewhere.
 * Offsets are summed lazily from the first item that changed, so a change near the end of 10,000 items costs that end.
 */
export class FlowHeights {
  #heights: Float64Array;
  /** `#offsets[i]` is the top of item i and is right for every i ≤ #validTo. */
  #offsets: Float64Array;
  #validTo = 0;
  #count: number;

  constructor(count: number, estimate: (index: number) => number) {
    this.#count = count;
    this.#heights = Float64Array.from({ length: count }, (_, index) => estimate(index));
    this.#offsets = new Float64Array(count + 1);
  }

  get count(): number {
    return this.#count;
  }

  get totalPx(): number {
    return this.offset(this.#count);
  }

  height(index: number): number {
    return this.#heights[index] ?? 0;
  }

  /** Sets the measured height of an item; returns the difference from its previous height. */
  set(index: number, heightPx: number): number {
    const before = this.height(index);
    if (index < 0 || index >= this.#count || before === heightPx) return 0;
    this.#heights[index] = heightPx;
    this.#validTo = Math.min(this.#validTo, index);
    return heightPx - before;
  }

  /** Top of item `index`; `index === count` gives the end of the column. */
  offset(index: number): number {
    const wanted = Math.max(0, Math.min(index, this.#count));
    for (let at = this.#validTo; at < wanted; at += 1) {
      this.#offsets[at + 1] = (this.#offsets[at] ?? 0) + this.height(at);
    }
    this.#validTo = Math.max(this.#validTo, wanted);
    return this.#offsets[wanted] ?? 0;
  }

  /** The item that covers `px`: the last one that starts at or above it. Clamped to the column. */
  indexAt(px: number): number {
    this.offset(this.#count);
    let low = 0;
    let high = Math.max(0, this.#count - 1);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#offsets[middle] ?? 0) <= px) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** All items that touch `fromPx`–`toPx`; at least one unless the column is empty. */
  range(fromPx: number, toPx: number): FlowRange {
    if (this.#count === 0) return { first: 0, last: 0, beforePx: 0, afterPx: 0 };
    const first = this.indexAt(fromPx);
    const last = Math.max(first, this.indexAt(Math.max(fromPx, toPx))) + 1;
    return { first, last, beforePx: this.offset(first), afterPx: this.totalPx - this.offset(last) };
  }
}
