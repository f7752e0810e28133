/** Runs work once for concurrent callers: a call with a pending key gets the same promise. */
export class InFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) return running;
    const own = work().finally(() => this.#running.delete(key));
    this.#running.set(key, own);
    return own;
  }

  /** The pending promise of that key, or null. */
  of(key: string): Promise<T> | null {
    return this.#running.get(key) ?? null;
  }

  /** Resolves when all pending work has ended, successfully or not. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  get keys(): string[] {
    return [...this.#running.keys()];
  }
}
