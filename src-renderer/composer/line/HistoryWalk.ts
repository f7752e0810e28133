/**
 * Walks back through earlier commands with ↑ and forward with ↓, as shells do: only commands that start with the typed text match, and the typed text
 * is the last stop on the way down.
 */
export class HistoryWalk {
  readonly #fitting: readonly string[];
  readonly #typed: string;
  /** −1 = at the typed text. */
  #at = -1;

  /** `commands`: newest first. Repeats and commands equal to the typed text are skipped. */
  constructor(commands: readonly string[], typed: string) {
    this.#typed = typed;
    this.#fitting = [...new Set(commands)].filter((cmd) => cmd.startsWith(typed) && cmd !== typed);
  }

  /** The line shows a command instead of the typed text. */
  get isUnderWay(): boolean {
    return this.#at >= 0;
  }

  /** The next older command; undefined at the oldest. */
  older(): string | undefined {
    const cmd = this.#fitting[this.#at + 1];
    if (cmd !== undefined) this.#at += 1;
    return cmd;
  }

  /** The next newer command, and the typed text at the end; undefined if the line shows it already. */
  newer(): string | undefined {
    if (this.#at < 0) return undefined;
    this.#at -= 1;
    return this.#at < 0 ? this.#typed : this.#fitting[this.#at];
  }
}
