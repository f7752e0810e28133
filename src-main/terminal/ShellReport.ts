/** A nested shell that was joined reports its own; behind it the outer one names what it reported before. */
const MAX_KEPT = 8;

/**
 * What the shell of a terminal has reported of itself, as its last prompt has it: each prompt names a report by its id, and brings it when it is
 * new. Only what the nonce vouches for may be said here.
 */
export class ShellReport<T extends object> {
  readonly #byId = new Map<string, T | null>();
  #now: T | null = null;

  /** Null: not reported, or not understood. Another object each time it is reported again. */
  get now(): T | null {
    return this.#now;
  }

  atPrompt(id: string | undefined, report: T | null | undefined): void {
    if (id === undefined) {
      this.#now = null;
      return;
    }
    if (report !== undefined) {
      this.#byId.delete(id);
      this.#byId.set(id, report);
      for (const old of [...this.#byId.keys()].slice(0, -MAX_KEPT)) this.#byId.delete(old);
    }
    this.#now = this.#byId.get(id) ?? null;
  }

  /** Another shell begins. */
  clear(): void {
    this.#byId.clear();
    this.#now = null;
  }
}
