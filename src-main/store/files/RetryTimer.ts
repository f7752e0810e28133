import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** A full disk rarely empties at once, and a person waits 5 s for the warning to disappear (security-reliability §5.2). */
const FIRST_MS = 100;
const LAST_MS = 5_000;

/** Calls `attempt` after 100 ms, then doubles the delay up to 5 s, until it returns true. */
export class RetryTimer implements IDisposable {
  readonly #clock: Clock;
  readonly #attempt: () => boolean;
  #timer: IDisposable | null = null;
  #delayMs = FIRST_MS;

  constructor(clock: Clock, attempt: () => boolean) {
    this.#clock = clock;
    this.#attempt = attempt;
  }

  /** Starts waiting, unless it already waits. */
  start(): void {
    this.#timer ??= this.#clock.after(this.#delayMs, () => {
      this.#timer = null;
      if (this.#attempt()) {
        this.#delayMs = FIRST_MS;
        return;
      }
      this.#delayMs = Math.min(this.#delayMs * 2, LAST_MS);
      this.start();
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = null;
    this.#delayMs = FIRST_MS;
  }
}
