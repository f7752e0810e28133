import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OwnSize } from '../../../src-renderer/terminal/OwnSize.svelte.ts';

const wide = { cols: 120, rows: 40 };
const narrow = { cols: 60, rows: 20 };
const asked: [number, boolean][] = [];
let own: OwnSize;

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  own = new OwnSize(({ cols }, isTaking) => asked.push([cols, isTaking]));
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

test('another size is foreign until it is taken over', () => {
  own.fit(wide);
  own.began(wide);
  expect(own.isForeign).toBe(false);
  own.resized(narrow);
  expect(own.isForeign).toBe(true);
  asked.length = 0;
  own.take();
  own.resized(wide);
  own.take();
  expect([asked, own.isForeign]).toEqual([[[120, true]], false]);
});
