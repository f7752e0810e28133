import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** One timer for the earliest work that is due. Another time replaces the one before. */
export class WakeTimer implements IDisposable {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #timer: IDisposable | undefined;
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  get isSet(): boolean {
    return this.#timer !== undefined;
  }

  /** `dueMs`: infinite if no work is due. */
  set(dueMs: number, nowMs: number): void {
    if (dueMs === this.#dueMs) return;
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#dueMs = dueMs;
    if (dueMs === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#clock.after(Math.max(1, Math.ceil(dueMs - nowMs)), () => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      this.#timer = undefined;
      this.#wake();
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#dueMs = Number.POSITIVE_INFINITY;
  }
}
