/** A joined nested shell reports its own; after it, the outer shell refers to its earlier reports. */
const MAX_KEPT = 8;

/**
 * A shell's report about itself, as of its last prompt: each prompt names a report by its id, and includes it if it is
 * new. Only trusted prompts may be passed here.
 */
export class ShellReport<T extends object> {
  readonly #byId = new Map<string, T | null>();
  #now: T | null = null;

  /** Null if not reported, or unreadable. A new object for each new report. */
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

  /** Call this when another shell starts. */
  clear(): void {
    this.#byId.clear();
    this.#now = null;
  }
}
