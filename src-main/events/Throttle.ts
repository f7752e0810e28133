/** Passes `limit` calls in any window of `windowMs`; drops the rest. Stores `limit` numbers. */
export class Throttle {
  readonly #limit: number;
  readonly #windowMs: number;
  /** Times of the last `limit` passed calls; a ring, oldest at `#next`. */
  readonly #passedMs: Float64Array;
  #next = 0;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#passedMs = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  }

  pass(nowMs: number): boolean {
    const oldestMs = this.#passedMs[this.#next] as number;
    // A clock that was set back must not silence a terminal until it catches up.
    if (nowMs >= oldestMs && nowMs - oldestMs < this.#windowMs) return false;
    this.#passedMs[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#limit;
    return true;
  }
}
