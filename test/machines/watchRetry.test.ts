import { expect, test } from 'vitest';
import { watchRetry } from '../../src-main/machines/watchRetry.ts';
import type { Clock } from '../../src-main/util/Clock.ts';
import { toDisposable } from '../../src-main/util/Disposables.ts';

/** A wall clock that the test sets, and a timer that runs at `tick`. */
function handClock(): Clock & { wallMs: number; tick(): void } {
  let due: (() => void) | null = null;
  return {
    wallMs: 1_000_000,
    nowMs() {
      return this.wallMs;
    },
    monotonicMs: () => 0,
    after: (_ms, run) => {
      due = run;
      return toDisposable(() => {
        if (due === run) due = null;
      });
    },
    tick() {
      const run = due;
      due = null;
      run?.();
    },
  };
}

test.each([
  ['before it is time', 1_000, 10_000, 0],
  ['when it is time', 1_000, 1_000, 1],
  ['after a sleep', 3_600_000, 4_000_000, 1],
  ['after the clock was set back', -3_600_000, 10_000, 1],
])('tries again %s', (_name, passesMs, inMs, times) => {
  const clock = handClock();
  const due: number | null = clock.wallMs + inMs;
  let tries = 0;
  const watching = watchRetry(
    clock,
    () => due,
    () => (tries += 1),
  );
  clock.wallMs += passesMs;
  clock.tick();
  expect(tries).toBe(times);
  watching.dispose();
  clock.wallMs += 10_000_000;
  clock.tick();
  expect(tries).toBe(times);
});
