import type { Clock } from '../util/Clock.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';

interface Timer {
  atMs: number;
  run: () => void;
}

/** The time in a recording: stands still until it is moved, and what falls due on the way runs at its own moment. */
export class PlaybackClock implements Clock {
  readonly #startMs: number;
  #recordedMs = 0;
  #monoMs = 0;
  readonly #timers = new Set<Timer>();

  /** `startMs`: of the recording, since 1970. */
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

  /** To a moment of the recording, ms since 1970. Never back. */
  moveTo(atMs: number): void {
    const byMs = atMs - this.nowMs();
    if (byMs <= 0) return;
    this.pass(byMs);
    this.#recordedMs += byMs;
  }

  /** Lets time pass for those who wait, at the same moment of the recording: it does not say when what. */
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
