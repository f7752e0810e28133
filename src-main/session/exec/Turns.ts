/** One writer at a time for each terminal: jobs run in the order in which they were given. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(terminalId: string, job: () => Promise<T>): Promise<T> {
    const before = this.#last.get(terminalId) ?? Promise.resolve();
    const own = before.then(job, job); // the one before has told its failure to its own caller
    this.#last.set(terminalId, own);
    const forget = (): void => {
      if (this.#last.get(terminalId) === own) this.#last.delete(terminalId);
    };
    own.then(forget, forget);
    return own;
  }
}
