import { type IDisposable, toDisposable } from './Disposables.ts';

/** Where time comes from. Handed in everywhere, so that tests move it by hand. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC, for people; may jump. */
  nowMs(): number;
  /** Milliseconds that only grow, for durations and deadlines. */
  monotonicMs(): number;
  /** Runs `run` once after `delayMs`, unless disposed before. */
  after(delayMs: number, run: () => void): IDisposable;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};
