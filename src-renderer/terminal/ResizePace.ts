/** Time that new sizes may take in each second: wrapping a long scrollback again takes tens of milliseconds. */
const MOST_MS = 300;
const SECOND_MS = 1_000;

/** Holds further sizes back once they have taken much of a second. `onFree` is called when the next second begins. */
export class ResizePace {
  readonly #onFree: () => void;
  #tookMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  get isHeld(): boolean {
    return this.#tookMs > MOST_MS;
  }

  run(resize: () => void): void {
    const fromMs = performance.now();
    resize();
    this.#tookMs += performance.now() - fromMs;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tookMs = 0;
      this.#onFree();
    }, SECOND_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
