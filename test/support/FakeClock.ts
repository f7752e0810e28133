import type { Clock } from '../../src-main/util/Clock.ts';
import { type IDisposable, toDisposable } from '../../src-main/util/Disposables.ts';

/** A clock that moves only by `advance`, which runs the due timers in the order of their times. `jump` sets the time of day alone. */
export class FakeClock implements Clock {
  #elapsedMs = 0;
  #jumpedMs = 0;
  readonly #startMs: number;
  readonly #timers = new Set<{ atMs: number; run: () => void }>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#startMs = startMs;
  }

  /** Number of timers that are not due yet. */
  get pending(): number {
    return this.#timers.size;
  }

  nowMs(): number {
    return this.#startMs + this.#elapsedMs + this.#jumpedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  after(delayMs: number, run: () => void): IDisposable {
    const timer = { atMs: this.#elapsedMs + delayMs, run };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  advance(ms: number): void {
    const endMs = this.#elapsedMs + ms;
    for (;;) {
      const [next] = [...this.#timers].filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.#timers.delete(next);
      this.#elapsedMs = next.atMs;
      next.run();
    }
    this.#elapsedMs = endMs;
  }
}
