import { type IDisposable, toDisposable } from '../../util/Disposables.ts';

/** Limits the number of open connections. A seat within an outer limit counts in both. */
export class ConnectionLimit {
  readonly #max: number;
  readonly #within: ConnectionLimit | null;
  #taken = 0;

  constructor(max: number, within: ConnectionLimit | null = null) {
    this.#max = max;
    this.#within = within;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes a seat; disposing it gives it back once. Null if all are taken. */
  take(): IDisposable | null {
    if (this.#taken >= this.#max) return null;
    const outer = this.#within?.take();
    if (outer === null) return null;
    this.#taken += 1;
    let isHeld = true;
    return toDisposable(() => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= 1;
      outer?.dispose();
    });
  }
}
