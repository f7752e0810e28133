import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** A prompt is drawn within milliseconds of its mark. */
const FIRST_MS = 25;
/** Longest interval between looks. Some changes (the foreground process, an emptied line) send no event, so they are polled. */
const LAST_MS = 500;

/** Schedules looks: at once when something happens, else at growing intervals. Owns its timer. */
export class RetryScheduler implements IDisposable {
  readonly #clock: Clock;
  readonly #look: () => void;
  #delayMs = FIRST_MS;
  #timer: IDisposable | null = null;
  #isClosed = false;

  constructor(clock: Clock, look: () => void) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Looks in the next timer turn; several calls lead to one look. */
  soon(): void {
    this.#delayMs = FIRST_MS;
    this.in(0);
  }

  later(): void {
    this.in(this.#delayMs);
    this.#delayMs = Math.min(LAST_MS, this.#delayMs * 2);
  }

  in(delayMs: number): void {
    this.#timer?.dispose();
    if (this.#isClosed) return;
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = null;
      this.#look();
    });
  }

  dispose(): void {
    this.#isClosed = true;
    this.#timer?.dispose();
  }
}
