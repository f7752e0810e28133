import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Acks } from '../../../src-renderer/terminal/Acks.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('small steps are acknowledged together, soon', () => {
  const sent: number[] = [];
  const acks = new Acks((offset) => sent.push(offset));
  for (const offset of [10, 20, 30]) acks.reached(offset);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(sent).toEqual([30]);
});

test('a flood is acknowledged at least every 64 KiB, without waiting', () => {
  const sent: number[] = [];
  const acks = new Acks((offset) => sent.push(offset));
  for (let offset = 0; offset <= 300_000; offset += 30_000) acks.reached(offset);
  expect(sent).toEqual([90_000, 180_000, 270_000]);
  acks.dispose();
});

test('after it is disposed of nothing is sent', () => {
  const sent: number[] = [];
  const acks = new Acks((offset) => sent.push(offset));
  acks.reached(5);
  acks.dispose();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([]);
});

test('a core that was started anew counts afresh and is answered', () => {
  const sent: number[] = [];
  const acks = new Acks((offset) => sent.push(offset));
  acks.reached(100_000);
  acks.reached(40);
  vi.advanceTimersByTime(50);
  expect(sent).toEqual([100_000, 40]);
});
