import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inBatches } from '../../../src-renderer/rpc/inBatches.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp() {
  const heard: number[] = [];
  let say: (value: number) => void = () => undefined;
  const stop = inBatches<number>(
    (value) => heard.push(value),
    (paced) => {
      say = paced;
      return () => undefined;
    },
  );
  return { heard, stop, say: (value: number) => say(value) };
}

test('the changes of one command after the other come at once', () => {
  const { heard, say } = setUp();
  for (let n = 0; n < 100; n += 1) {
    say(n);
    expect(heard.at(-1)).toBe(n);
    vi.advanceTimersByTime(20);
  }
});

test('a flood comes in few batches, in order and whole', () => {
  const { heard, say } = setUp();
  const sent = Array.from({ length: 3_000 }, (_, n) => n);
  let turns = 0;
  for (const n of sent) {
    const before = heard.length;
    say(n);
    if (heard.length > before) turns += 1;
    vi.advanceTimersByTime(1);
  }
  vi.runAllTimers();
  expect(heard).toEqual(sent);
  expect(turns).toBeLessThan(50);
});

test('nothing comes after the end', () => {
  const { heard, say, stop } = setUp();
  for (let n = 0; n < 100; n += 1) say(n);
  const before = heard.length;
  stop();
  vi.runAllTimers();
  expect(heard.length).toBe(before);
});
