import { type IDisposable, toDisposable } from './Disposables.ts';

/** Source of time. Passed in everywhere, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC, for people; may jump. */
  nowMs(): number;
  /** Monotonic milliseconds, for durations and deadlines. */
  monotonicMs(): number;
  /** Runs `run` once after `delayMs`, unless the result is disposed before. */
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

/** Resolves after `ms`, or as soon as the signal aborts. */
export function later(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    const end = (): void => {
      timer.dispose();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
