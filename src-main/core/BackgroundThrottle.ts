import type { Clock } from '../util/Clock.ts';

/** A piece of work is followed by a rest this many times as long: a fifth of one core at most. */
const REST_FACTOR = 4;
/** A machine that slept, or stood still, did not work all that time. */
const MAX_REST_MS = 1_000;
/** More output than a person makes: somebody waits for it. */
const FLOOD_BYTES_PER_S = 256 * 1024;
const LOOK_EVERY_MS = 250;
/** How long to stand aside before the next look. */
const ASIDE_MS = 1_000;

/** Makes background work give way: it rests after each piece, and stands still while the terminals are busy. */
export class BackgroundThrottle {
  readonly #clock: Clock;
  readonly #outputBytes: () => number;
  readonly #signal: AbortSignal;
  #beganMs: number;
  #looked: { atMs: number; bytes: number };

  /** `outputBytes`: all output so far, of all terminals. An abort ends a rest at once. */
  constructor(clock: Clock, outputBytes: () => number, signal: AbortSignal) {
    this.#clock = clock;
    this.#outputBytes = outputBytes;
    this.#signal = signal;
    this.#beganMs = clock.monotonicMs();
    this.#looked = { atMs: this.#beganMs, bytes: outputBytes() };
  }

  /** Call after each piece of work; resolves when the next one may begin, or the signal was raised. */
  rest = async (): Promise<void> => {
    const workedMs = this.#clock.monotonicMs() - this.#beganMs;
    await this.#wait(Math.min(workedMs * REST_FACTOR, MAX_REST_MS));
    while (!this.#signal.aborted && this.#isFlooded()) await this.#wait(ASIDE_MS);
    this.#beganMs = this.#clock.monotonicMs();
  };

  #isFlooded(): boolean {
    const atMs = this.#clock.monotonicMs();
    const passedMs = atMs - this.#looked.atMs;
    if (passedMs < LOOK_EVERY_MS) return false;
    const bytes = this.#outputBytes();
    const perSecond = ((bytes - this.#looked.bytes) * 1_000) / passedMs;
    this.#looked = { atMs, bytes };
    return perSecond > FLOOD_BYTES_PER_S;
  }

  #wait(ms: number): Promise<void> {
    if (this.#signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        timer.dispose();
        this.#signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.#clock.after(ms, done);
      this.#signal.addEventListener('abort', done);
    });
  }
}
