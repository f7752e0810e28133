import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** A full disk rarely empties within a blink, and 5 s is what a person waits for the warning to go (security-reliability §5.2). */
const FIRST_MS = 100;
const LAST_MS = 5_000;

/** Calls `attempt` after 100 ms, then after twice as long each time, 5 s at most, until it says that it worked. */
export class RetryTimer implements IDisposable {
  readonly #clock: Clock;
  readonly #attempt: () => boolean;
  #timer: IDisposable | null = null;
  #delayMs = FIRST_MS;

  constructor(clock: Clock, attempt: () => boolean) {
    this.#clock = clock;
    this.#attempt = attempt;
  }

  /** Starts waiting, unless it waits already. */
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
