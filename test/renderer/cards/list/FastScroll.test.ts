import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FastScroll } from '../../../../src-renderer/cards/list/FastScroll.svelte.ts';

const VIEW_PX = 800;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Whether fast scroll is on after each step; the steps are `everyMs` apart. */
function fly(steps: readonly number[], everyMs: number): boolean[] {
  const flight = new FastScroll();
  const seen = steps.map((px) => {
    vi.advanceTimersByTime(everyMs);
    flight.step(px, VIEW_PX);
    return flight.isOn;
  });
  vi.advanceTimersByTime(1000);
  expect(flight.isOn).toBe(false); // it always ends
  return seen;
}

test.each([
  ['fast steps one after another are a flight', [900, 900, 900], 16, [false, true, true]],
  ['up as down', [-900, -900], 16, [false, true]],
  ['one jump is none', [90_000, 0, 3], 16, [false, false, false]],
  ['jumps with a rest between are none', [900, 900, 900], 500, [false, false, false]],
  ['a wheel is none', [120, 300, 400], 16, [false, false, false]],
  ['a flight that slows down is one until it lands', [900, 900, 100], 16, [false, true, true]],
] as const)('%s', (_, steps, everyMs, seen) => {
  expect(fly(steps, everyMs)).toEqual(seen);
});

test('what is shown on purpose ends a flight at once', () => {
  const flight = new FastScroll();
  flight.step(900, VIEW_PX);
  flight.step(900, VIEW_PX);
  flight.land();
  expect([flight.isOn, vi.getTimerCount()]).toEqual([false, 0]);
});
