import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SizedBy } from '../../../src-main/contract/terminal.ts';
import { ViewerSize } from '../../../src-renderer/terminal/ViewerSize.svelte.ts';

const wide = { cols: 120, rows: 40 };
const narrow = { cols: 60, rows: 20 };
const asked: [number, boolean][] = [];
let own: ViewerSize;
let owner: SizedBy;

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  owner = 'self';
  own = new ViewerSize(async ({ cols }, isTaking) => {
    asked.push([cols, isTaking]);
    return owner;
  });
});

afterEach(() => {
  own.dispose();
  vi.useRealTimers();
});

test('the window that opens a terminal takes its size, after the first state and once', () => {
  own.fit(wide);
  vi.runAllTimers();
  expect(asked).toEqual([]);
  own.began({ cols: 80, rows: 24 });
  own.began({ cols: 80, rows: 24 });
  expect(asked).toEqual([
    [120, true],
    [120, false],
  ]);
});

test('the window that opens a terminal takes its size also where it knows its size late', () => {
  own.began({ cols: 80, rows: 24 });
  own.fit(wide);
  vi.runAllTimers();
  expect(asked).toEqual([[120, true]]);
});

test('a drag is told when it pauses, and a size that was told is not told again', () => {
  own.fit(wide);
  own.began(wide);
  asked.length = 0;
  for (const cols of [119, 118, 117]) own.fit({ ...wide, cols });
  vi.runAllTimers();
  own.fit({ ...wide, cols: 117 });
  vi.runAllTimers();
  expect(asked).toEqual([[117, false]]);
});

test('another size is foreign when the core says so, until it is taken over', async () => {
  own.fit(wide);
  own.began(wide);
  await vi.runAllTimersAsync();
  expect(own.foreign).toBe(null);
  owner = 'viewer';
  asked.length = 0;
  own.resized(narrow);
  await vi.runAllTimersAsync();
  expect([asked, own.foreign]).toEqual([[[120, false]], 'viewer']);
  asked.length = 0;
  owner = 'self';
  own.take();
  own.resized(wide);
  own.take();
  await vi.runAllTimersAsync();
  expect([asked, own.foreign]).toEqual([[[120, true]], null]);
});

test('the owner before is not taken for the owner of the next size, once it has left', async () => {
  own.fit(wide);
  own.began(wide);
  await vi.runAllTimersAsync();
  owner = 'viewer';
  own.resized(narrow);
  await vi.runAllTimersAsync();
  expect(own.foreign).toBe('viewer');
  owner = 'self';
  own.resized(wide); // the other window closed
  own.fit({ ...wide, cols: 100 });
  expect(own.foreign).toBe(null);
  own.fit({ ...wide, cols: 90 });
  own.resized({ ...wide, cols: 100 });
  expect(own.foreign).toBe(null);
});

test('no echo of an older size is foreign, however late it comes', () => {
  const step = fc.oneof(
    fc.record({ fit: fc.integer({ min: 2, max: 200 }) }),
    fc.record({ echo: fc.nat() }),
    fc.constant('wait' as const),
  );
  return fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const sent: number[] = [80];
      const alone = new ViewerSize(async ({ cols }) => {
        sent.push(cols);
        return 'self';
      });
      alone.began({ cols: 80, rows: 24 });
      for (const one of steps) {
        if (one === 'wait') await vi.advanceTimersByTimeAsync(200);
        else if ('fit' in one) alone.fit({ cols: one.fit, rows: 24 });
        else alone.resized({ cols: sent[one.echo % sent.length] ?? 80, rows: 24 });
        expect(alone.foreign).toBe(null);
      }
      alone.dispose();
    }),
  );
});
