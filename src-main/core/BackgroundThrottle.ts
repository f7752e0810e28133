import type { Clock } from '../util/Clock.ts';

/** A piece of work is followed by a rest this many times as long: a fifth of one core at most. */
const REST_FACTOR = 4;
/** Upper limit of a rest, because a machine that slept or froze did not work all that time. */
const MAX_REST_MS = 1_000;
/** More output than a person produces: somebody probably waits for it. */
const FLOOD_BYTES_PER_S = 256 * 1024;
const LOOK_EVERY_MS = 250;
/** Pause before the next check while terminals are busy. */
const ASIDE_MS = 1_000;

/** Slows down background work: it rests after each piece, and pauses while the terminals are busy. */
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

  /** Call after each piece of work; resolves when the next one may begin, or when the signal is aborted. */
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
