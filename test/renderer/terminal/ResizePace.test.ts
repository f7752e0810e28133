import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ResizePace } from '../../../src-renderer/terminal/ResizePace.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Resizes that take so long each, for ten seconds, as often as they may. */
function resizes(tookMs: number): number {
  let frees = 0;
  const pace = new ResizePace(() => (frees += 1));
  let count = 0;
  for (let atMs = 0; atMs < 10_000; atMs += Math.max(16, tookMs)) {
    if (!pace.isHeld) {
      pace.run(() => vi.advanceTimersByTime(tookMs));
      count += 1;
      vi.advanceTimersByTime(Math.max(0, 16 - tookMs));
    } else vi.advanceTimersByTime(Math.max(16, tookMs));
  }
  pace.stop();
  expect(frees).toBeGreaterThan(5);
  return count;
}

test('a window edge that is dragged is followed in every frame', () => {
  expect(resizes(4)).toBeGreaterThan(600);
});

test('sizes of a long scrollback take a third of the time', () => {
  expect(resizes(40)).toBeLessThan(110);
});
