/**
 * Walks back through earlier commands with ↑ and forth with ↓, as the shells do it: what was typed first decides what
 * fits (only commands that start so), and it is the last stop on the way back down.
 */
export class HistoryWalk {
  readonly #fitting: readonly string[];
  readonly #typed: string;
  /** −1 = at what was typed. */
  #at = -1;

  /** `commands` newest first; repeats and what equals the typed text are passed over. */
  constructor(commands: readonly string[], typed: string) {
    this.#typed = typed;
    this.#fitting = [...new Set(commands)].filter((cmd) => cmd.startsWith(typed) && cmd !== typed);
  }

  /** What was typed is no longer what stands there. */
  get isUnderWay(): boolean {
    return this.#at >= 0;
  }

  /** The next older command; undefined at the oldest. */
  older(): string | undefined {
    const cmd = this.#fitting[this.#at + 1];
    if (cmd !== undefined) this.#at += 1;
    return cmd;
  }

  /** The next newer one, at last what was typed; undefined when that stands there already. */
  newer(): string | undefined {
    if (this.#at < 0) return undefined;
    this.#at -= 1;
    return this.#at < 0 ? this.#typed : this.#fitting[this.#at];
  }
}
