/** Items `first` to `last - 1` are drawn; the heights beside them stand for what is not. All in px. */
export interface FlowRange {
  first: number;
  last: number;
  beforePx: number;
  afterPx: number;
}

/** Items of the column that are drawn or passed over in a way of their own, by their keys; null: there is none now. */
export interface FlowKeys {
  /** The item that stays drawn wherever the reader is. */
  kept(): string | null;
  /** The item that is out of sight for a reader at the end, with all before it, however little follows. */
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

  /** The measured height of an item; what it differs from the height known so far. */
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

  /** Everything that touches `fromPx`–`toPx`. At least one item where there is one. */
  range(fromPx: number, toPx: number): FlowRange {
    if (this.#count === 0) return { first: 0, last: 0, beforePx: 0, afterPx: 0 };
    const first = this.indexAt(fromPx);
    const last = Math.max(first, this.indexAt(Math.max(fromPx, toPx))) + 1;
    return { first, last, beforePx: this.offset(first), afterPx: this.totalPx - this.offset(last) };
  }
}
