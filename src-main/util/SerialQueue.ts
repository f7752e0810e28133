/** Runs jobs one after the other, in the order in which they were given. A job that fails is its caller's business alone: the next one runs. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(job: () => T | Promise<T>): Promise<T> {
    const own = this.#last.then(job);
    this.#last = own.catch(() => undefined); // the caller has it
    return own;
  }

  /** Resolves when every job that was given so far has ended, well or not. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
