const WORDS = (
  'harbour anchor lantern kettle saddle window garden marble copper thunder velvet orchard ribbon pepper ladder meadow ' +
  'button castle dragon engine falcon goblin hammer island jacket kitten lemon mirror needle oyster pencil quartz rocket ' +
  'silver tunnel umbrella violin walnut yellow zipper bridge candle desert eagle forest glacier'
).split(' ');

/** A random generator that depends only on its seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0;
  }

  /** An integer, inclusive of both ends. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  of<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T;
  }

  /** Picks one of several values by weight. */
  pick<T>(...weighted: readonly (readonly [number, T])[]): T {
    let left = this.#next() * weighted.reduce((sum, [weight]) => sum + weight, 0);
    const found = weighted.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    return (found ?? weighted[0])?.[1] as T;
  }

  word(): string {
    return this.of(WORDS);
  }

  /** Mulberry32, by Tommy Ettinger, in the public domain. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
