import type { Clock } from '../util/Clock.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';

interface Timer {
  atMs: number;
  run: () => void;
}

/** The time in a recording: it only moves when told to, and timers on the way run at their own time. */
export class PlaybackClock implements Clock {
  readonly #startMs: number;
  #recordedMs = 0;
  #monoMs = 0;
  readonly #timers = new Set<Timer>();

  /** `startMs`: start of the recording, ms since 1970. */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  nowMs(): number {
    return this.#startMs + this.#recordedMs;
  }

  monotonicMs(): number {
    return this.#monoMs;
  }

  after(delayMs: number, run: () => void): IDisposable {
    const timer = { atMs: this.#monoMs + delayMs, run };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** Moves to a time of the recording, ms since 1970. Never back. */
  moveTo(atMs: number): void {
    const byMs = atMs - this.nowMs();
    if (byMs <= 0) return;
    this.pass(byMs);
    this.#recordedMs += byMs;
  }

  /** Lets monotonic time pass for timers, while the recording's time stays, because the recording has no times. */
  pass(ms: number): void {
    const untilMs = this.#monoMs + ms;
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#timers.delete(next);
      this.#monoMs = Math.max(this.#monoMs, next.atMs);
      next.run();
    }
    this.#monoMs = untilMs;
  }

  #next(untilMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers)
      if (timer.atMs <= untilMs && timer.atMs < (first?.atMs ?? Infinity)) first = timer;
    return first;
  }
}
