/** Longest time without a turn for other work of the thread. */
const PAUSE_EVERY_MS = 20;

/** Time limit of a search. */
export class SearchTime {
  readonly #signal: AbortSignal | undefined;
  readonly #endMs: number;
  #pausedMs = performance.now();

  constructor(signal: AbortSignal | undefined, budgetMs = Number.POSITIVE_INFINITY) {
    this.#signal = signal;
    this.#endMs = performance.now() + budgetMs;
  }

  get isStopped(): boolean {
    return this.#signal?.aborted === true;
  }

  get isOver(): boolean {
    return this.isStopped || performance.now() >= this.#endMs;
  }

  /** Yields the thread now and then. False when the time is over. */
  async goesOn(): Promise<boolean> {
    if (performance.now() - this.#pausedMs > PAUSE_EVERY_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#pausedMs = performance.now();
    }
    return !this.isOver;
  }
}
