/** The terminal that the person looks at, as reported by the windows. */
export class WindowFocus {
  readonly #looks: (clientId: string, terminalId: string) => boolean;
  /** By window; the window that reported last is the last entry. */
  readonly #focused = new Map<string, string>();

  /** `looks`: whether that window shows that terminal. A window that closed without a report shows none. */
  constructor(looks: (clientId: string, terminalId: string) => boolean) {
    this.#looks = looks;
  }

  /** Reports that the window has the focus on that terminal, or with null that it lost the focus. */
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
