/** Runs jobs one after the other, in the order in which they were added. Only a job's caller gets its error; the next job still runs. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(job: () => T | Promise<T>): Promise<T> {
    const own = this.#last.then(job);
    this.#last = own.catch(() => undefined); // the caller gets the error
    return own;
  }

  /** Resolves when all jobs added so far have ended, successfully or not. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
