import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { watchSleep } from './watchSleep.ts';

/**
 * Calls `retry` when it is due (`dueMs`, ms since 1970, null if nothing is due), and at once after this machine slept or its clock was set back,
 * because the due time would then come too late.
 */
export function watchRetry(clock: Clock, dueMs: () => number | null, retry: () => void): IDisposable {
  return watchSleep(clock, (hasSlept) => {
    const due = dueMs();
    if (due !== null && (hasSlept || clock.nowMs() >= due)) retry();
  });
}
