/** Extra weight of a pair that directly follows another pair, so that an equal run is matched as a run. */
const RUN_BONUS = 0.25;
/** Weight lost by an alignment without the snapshot's first message. A snapshot continues the log, so its beginning is known. */
const LOOSE_START = 1.25;

/** Which messages of a snapshot are which messages of the log. */
export interface Alignment {
  /** For each message of the snapshot, its index in the log, or -1. Ascending. */
  readonly known: readonly number[];
  /** `-Infinity`: no message matches. */
  readonly weight: number;
}

export interface Compared {
  readonly known: number;
  readonly seen: number;
  /** Certainty that two messages are the same; 0: they are not. */
  readonly alike: (known: number, seen: number) => number;
  /** Weight to subtract because the log's messages from `known` on were not seen. Default: 0. */
  readonly unseen?: (known: number) => number;
}

/**
 * Finds the ascending sequence of pairs with the highest total weight; each message is used once. Of equal sequences, the one later in
 * the log wins. Makes `known × seen` comparisons.
 */
export function alignMessages({ known, seen, alike, unseen = () => 0 }: Compared): Alignment {
  const table = new Table(known, seen);
  let [lastKnown, lastSeen, weight] = [0, 0, Number.NEGATIVE_INFINITY];
  for (let k = 1; k <= known; k += 1) {
    const lost = unseen(k);
    for (let s = 1; s <= seen; s += 1) {
      table.fill(k, s, alike(k - 1, s - 1));
      const own = table.pair(k, s) - lost;
      if (own === Number.NEGATIVE_INFINITY || own < weight) continue;
      [lastKnown, lastSeen, weight] = [k, s, own];
    }
  }
  return { known: lastKnown > 0 ? table.trace(lastKnown, lastSeen) : new Array<number>(seen).fill(-1), weight };
}

/** Row and column 0 represent the state before the first message. */
class Table {
  readonly #width: number;
  readonly #seen: number;
  /** Highest weight of a sequence that ends with this pair; `-Infinity` if the two are not alike. */
  readonly #pairs: Float64Array;
  /** Highest weight of a sequence up to here. */
  readonly #best: Float64Array;

  constructor(known: number, seen: number) {
    this.#width = known + 1;
    this.#seen = seen;
    this.#pairs = new Float64Array(this.#width * (seen + 1)).fill(Number.NEGATIVE_INFINITY);
    this.#best = new Float64Array(this.#width * (seen + 1)).fill(Number.NEGATIVE_INFINITY);
  }

  pair(k: number, s: number): number {
    return this.#pairs[s * this.#width + k] ?? Number.NEGATIVE_INFINITY;
  }

  fill(k: number, s: number, weight: number): void {
    const here = s * this.#width + k;
    if (weight > 0) this.#pairs[here] = weight + Math.max(this.#start(s), this.#before(k, s));
    this.#best[here] = Math.max(this.pair(k, s), this.#upTo(k - 1, s), this.#upTo(k, s - 1));
  }

  /** Returns the sequence of pairs that ends with this one. */
  trace(lastKnown: number, lastSeen: number): number[] {
    const pairs = new Array<number>(this.#seen).fill(-1);
    let [k, s] = [lastKnown, lastSeen];
    for (;;) {
      pairs[s - 1] = k - 1;
      const before = this.#before(k, s);
      if (before < this.#start(s)) return pairs;
      const isRun = this.pair(k - 1, s - 1) + RUN_BONUS === before;
      [k, s] = isRun ? [k - 1, s - 1] : this.#find(before, k - 1, s - 1);
    }
  }

  /** Weight of a sequence that begins with message `s`, before its first pair. */
  #start(s: number): number {
    return s > 1 ? -LOOSE_START : 0;
  }

  #before(k: number, s: number): number {
    return Math.max(this.#upTo(k - 1, s - 1), this.pair(k - 1, s - 1) + RUN_BONUS);
  }

  #upTo(k: number, s: number): number {
    return this.#best[s * this.#width + k] ?? Number.NEGATIVE_INFINITY;
  }

  /** Finds the last pair up to here whose weight is `weight`. */
  #find(weight: number, fromKnown: number, fromSeen: number): [number, number] {
    let [k, s] = [fromKnown, fromSeen];
    while (this.pair(k, s) !== weight) {
      if (this.#upTo(k, s - 1) === weight) s -= 1;
      else k -= 1;
    }
    return [k, s];
  }
}
