/** Which terminal the person has before them, as the windows tell it. */
export class WindowFocus {
  readonly #looks: (clientId: string, terminalId: string) => boolean;
  /** By window; the one that told last is the last. */
  readonly #focused = new Map<string, string>();

  /** `looks`: that window shows that terminal. One that went without a word shows none. */
  constructor(looks: (clientId: string, terminalId: string) => boolean) {
    this.#looks = looks;
  }

  /** The window has the focus and that terminal in it, or with null has lost it. */
  tell(clientId: string, terminalId: string | null): void {
    this.#focused.delete(clientId);
    if (terminalId !== null) this.#focused.set(clientId, terminalId);
  }

  /** Null when no window has the focus. */
  get terminalId(): string | null {
    for (const [clientId, terminalId] of [...this.#focused].reverse()) {
      if (this.#looks(clientId, terminalId)) return terminalId;
      this.#focused.delete(clientId);
    }
    return null;
  }
}
