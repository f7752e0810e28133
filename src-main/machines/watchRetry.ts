import type { Clock } from '../util/Clock.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';

/** A timer that is so late has slept with the machine. */
const SLEPT_MS = 5_000;
const TICK_MS = 1_000;

/**
 * Calls `retry` when it is time (`dueMs`, ms since 1970, null while nothing is due), and at once when this machine has slept, or its clock was set back:
 * the time would else come too late.
 */
export function watchRetry(clock: Clock, dueMs: () => number | null, retry: () => void): IDisposable {
  let lastMs = clock.nowMs();
  const look = (): void => {
    const nowMs = clock.nowMs();
    const passedMs = nowMs - lastMs;
    lastMs = nowMs;
    timer = clock.after(TICK_MS, look);
    const due = dueMs();
    if (due !== null && (nowMs >= due || passedMs < 0 || passedMs > TICK_MS + SLEPT_MS)) retry();
  };
  let timer = clock.after(TICK_MS, look);
  return toDisposable(() => timer.dispose());
}
