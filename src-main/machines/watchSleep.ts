import type { Clock } from '../util/Clock.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';

/** A timer that is this late means that the machine has slept. */
const SLEPT_MS = 5_000;
const TICK_MS = 1_000;

/** Calls `look` each second, and reports whether this machine has slept since, or its clock was set back. */
export function watchSleep(clock: Clock, look: (hasSlept: boolean) => void): IDisposable {
  let lastMs = clock.nowMs();
  const tick = (): void => {
    const nowMs = clock.nowMs();
    const passedMs = nowMs - lastMs;
    lastMs = nowMs;
    timer = clock.after(TICK_MS, tick);
    look(passedMs < 0 || passedMs > TICK_MS + SLEPT_MS);
  };
  let timer = clock.after(TICK_MS, tick);
  return toDisposable(() => timer.dispose());
}
