import type { ShellAliasTable, WordsMark } from '../contract/mcp/aliasWords.ts';

/** A nested shell that was joined tells its own; behind it the outer one names what it told before. */
const MAX_KEPT = 8;

/** What the shell of a terminal has told of its own words, as its last prompt has it. Only what the nonce vouches for may be said here. */
export class ShellAliases {
  readonly #byId = new Map<string, ShellAliasTable | null>();
  #now: ShellAliasTable | null = null;

  /** Null: not told, or not understood. Another object each time they are told anew. */
  get now(): ShellAliasTable | null {
    return this.#now;
  }

  atPrompt(mark: WordsMark | undefined): void {
    if (!mark) {
      this.#now = null;
      return;
    }
    const { id, words } = mark;
    if (words !== undefined) {
      this.#byId.delete(id);
      this.#byId.set(id, words);
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
