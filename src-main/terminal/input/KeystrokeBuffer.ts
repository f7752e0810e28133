/** Keeps keys typed while a client's command is being entered into the line, to send them after it in order. */
export class KeystrokeBuffer<T> {
  #kept: T[] | null = null;
  #onFirst: () => void = () => undefined;

  get isOn(): boolean {
    return this.#kept !== null;
  }

  /** The keys kept so far. */
  get kept(): readonly T[] {
    return this.#kept ?? [];
  }

  /** `onFirst` is called when the first key is kept, and so the person waits. */
  begin(onFirst: () => void): void {
    if (this.#kept) throw new Error('keys are held already: one submission at a time');
    this.#kept = [];
    this.#onFirst = onFirst;
  }

  /** True if the key was kept. */
  take(piece: T): boolean {
    if (!this.#kept) return false;
    this.#kept.push(piece);
    if (this.#kept.length === 1) this.#onFirst();
    return true;
  }

  /** Ends the hold; the caller must send the kept keys in this turn. */
  release(): T[] {
    const kept = this.#kept ?? [];
    this.#kept = null;
    return kept;
  }
}
