import type { Clock } from '../../src-main/util/Clock.ts';
import { type IDisposable, toDisposable } from '../../src-main/util/Disposables.ts';

/** A clock that only `advance` moves. Due timers run in the order of their times. */
export class FakeClock implements Clock {
  #nowMs = 1_700_000_000_000;
  #timers: { atMs: number; run: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): IDisposable {
    const timer = { atMs: this.#nowMs + delayMs, run };
    this.#timers.push(timer);
    return toDisposable(() => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    });
  }

  get waiting(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#nextBefore(untilMs); next; next = this.#nextBefore(untilMs)) {
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  #nextBefore(untilMs: number): { atMs: number; run: () => void } | undefined {
    return this.#timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
  }
}
