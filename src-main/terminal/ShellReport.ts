/** A joined nested shell reports its own; after it, the outer shell refers to its earlier reports. */
const MAX_KEPT = 8;

/**
 * A shell's report about itself, as of its last prompt: each prompt names a report by its id, and includes it if it is
 * new. Only trusted prompts may be passed here.
 */
export class ShellReport<T extends object> {
  readonly #byId = new Map<string, T | null>();
  #current: { readonly id: string; readonly report: T } | null = null;

  /** Null if not reported, or unreadable. */
  get current(): { readonly id: string; readonly report: T } | null {
    return this.#current;
  }

  /** The current report. A new object for each new one. */
  get now(): T | null {
    return this.#current?.report ?? null;
  }

  atPrompt(id: string | undefined, report: T | null | undefined): void {
    if (id !== undefined && report !== undefined) this.keep(id, report);
    const known = id === undefined ? null : this.#byId.get(id);
    this.#current = id !== undefined && known ? { id, report: known } : null;
  }

  /** Remembers a report for the prompts that refer to it. */
  keep(id: string, report: T | null): void {
    this.#byId.delete(id);
    this.#byId.set(id, report);
    for (const old of [...this.#byId.keys()].slice(0, -MAX_KEPT)) this.#byId.delete(old);
  }

  /** Call this when another shell starts. */
  clear(): void {
    this.#byId.clear();
    this.#current = null;
  }
}
