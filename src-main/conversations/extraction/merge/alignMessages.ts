/** What two neighbours found beside each other are worth more than two apart: an equal run is matched as a run. */
const RUN_BONUS = 0.25;
/** A snapshot goes on from the log: what it begins with is known. An alignment that leaves that out is worth so much less. */
const LOOSE_START = 1.25;

/** How a snapshot's messages and those of the log hang together. */
export interface Alignment {
  /** For each message seen, the index of the one it is in the log, or -1. Rising. */
  readonly known: readonly number[];
  /** `-Infinity`: nothing hangs together. */
  readonly weight: number;
}

export interface Compared {
  readonly known: number;
  readonly seen: number;
  /** How sure it is that two are the same; 0: they are not. */
  readonly alike: (known: number, seen: number) => number;
  /** What it takes off that the log goes on at `known`, and nothing of that was seen. Absent: nothing. */
  readonly unseen?: (known: number) => number;
}

/**
 * The rising sequence of pairs that are most alike in sum, each used once; of equal ones that which lies later in the log.
 * Costs `known × seen` comparisons.
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

/** Row and column 0 stand for what is before the first message. */
class Table {
  readonly #width: number;
  readonly #seen: number;
  /** The most that pairs up to here are worth, the last of them being this one; `-Infinity` for two that are not alike. */
  readonly #pairs: Float64Array;
  /** The most that pairs up to here are worth. */
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

  /** The pairs that end with this one. */
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

  /** Nothing was found before message `s`. */
  #start(s: number): number {
    return s > 1 ? -LOOSE_START : 0;
  }

  #before(k: number, s: number): number {
    return Math.max(this.#upTo(k - 1, s - 1), this.pair(k - 1, s - 1) + RUN_BONUS);
  }

  #upTo(k: number, s: number): number {
    return this.#best[s * this.#width + k] ?? Number.NEGATIVE_INFINITY;
  }

  /** The last pair up to here that is worth `weight`. */
  #find(weight: number, fromKnown: number, fromSeen: number): [number, number] {
    let [k, s] = [fromKnown, fromSeen];
    while (this.pair(k, s) !== weight) {
      if (this.#upTo(k, s - 1) === weight) s -= 1;
      else k -= 1;
    }
    return [k, s];
  }
}
