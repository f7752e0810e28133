/** What is typed while a command of an outside client is being put into the line: kept, and given out behind it in the same order. */
export class KeystrokeBuffer<T> {
  #kept: T[] | null = null;
  #onFirst: () => void = () => undefined;

  get isOn(): boolean {
    return this.#kept !== null;
  }

  /** What is kept so far. */
  get kept(): readonly T[] {
    return this.#kept ?? [];
  }

  /** `onFirst` is called when the first key is kept: from then on somebody waits. */
  begin(onFirst: () => void): void {
    if (this.#kept) throw new Error('keys are held already: one submission at a time');
    this.#kept = [];
    this.#onFirst = onFirst;
  }

  /** True when it was kept. */
  take(piece: T): boolean {
    if (!this.#kept) return false;
    this.#kept.push(piece);
    if (this.#kept.length === 1) this.#onFirst();
    return true;
  }

  /** Ends the hold; what was kept is the caller's to send, in this very turn. */
  release(): T[] {
    const kept = this.#kept ?? [];
    this.#kept = null;
    return kept;
  }
}
