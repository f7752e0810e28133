import { expect, test } from 'vitest';
import { EarlyStop } from '../../../src-main/terminal/input/EarlyStop.ts';
import { FakeClock } from '../../support/FakeClock.ts';

function typedAt(programStartsMs: number): { type(data: string): void; clock: FakeClock; written: [number, string][] } {
  const clock = new FakeClock();
  const written: [number, string][] = [];
  const isEarly = () => clock.monotonicMs() < programStartsMs;
  const stop = new EarlyStop(clock, isEarly, (data) => void written.push([clock.monotonicMs(), String(data)]));
  return { type: (data) => stop.type(data), clock, written };
}

test('Ctrl+Z waits for the program that is about to start, and what is typed behind it waits too', () => {
  const { type, clock, written } = typedAt(130);
  for (const data of ['a', '\x1a', 'jobs\r']) type(data);
  clock.advance(2000);
  type('b');
  expect(written).toEqual([
    [0, 'a'],
    [140, '\x1a'],
    [140, 'jobs\r'],
    [2000, 'b'],
  ]);
});

test('Ctrl+Z goes to a program that has the terminal at once', () => {
  const { type, written } = typedAt(0);
  type('\x1a');
  expect(written).toEqual([[0, '\x1a']]);
});

test('Ctrl+Z goes to a command of the shell itself after a second', () => {
  const { type, clock, written } = typedAt(Number.POSITIVE_INFINITY);
  type('\x1a');
  clock.advance(5000);
  expect(written).toEqual([[1000, '\x1a']]);
});
