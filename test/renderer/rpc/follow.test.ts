import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { follow } from '../../../src-renderer/rpc/follow.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type On = { onData(value: number): void; onError(error: unknown): void };

function setUp() {
  const subscriptions: On[] = [];
  const heard: number[] = [];
  let ended = 0;
  const stop = follow<number>(
    (on) => {
      subscriptions.push(on);
      return { unsubscribe: () => (ended += 1) };
    },
    (value) => heard.push(value),
  );
  return { subscriptions, heard, stop, ended: () => ended };
}

test('a subscription that the core ended with an error is asked for again', () => {
  const { subscriptions, heard } = setUp();
  subscriptions[0]?.onError(new Error('broke'));
  vi.runAllTimers();
  subscriptions[1]?.onData(7);
  expect(heard).toEqual([7]);
});

test('what follows something that is gone ends', () => {
  const { subscriptions } = setUp();
  const gone = { error: { message: 'No terminal', code: -32004, data: { code: 'NOT_FOUND' } } };
  subscriptions[0]?.onError(TRPCClientError.from(gone as never));
  vi.runAllTimers();
  expect(subscriptions.length).toBe(1);
});

test('what follows something that is gone ends in the desktop window too, whose bridge wraps its errors', () => {
  const { subscriptions } = setUp();
  const inner = Object.assign(new Error('No terminal'), { data: { code: 'NOT_FOUND' } });
  subscriptions[0]?.onError(TRPCClientError.from(inner));
  vi.runAllTimers();
  expect(subscriptions.length).toBe(1);
});

test('after the stop nothing is heard and nothing is asked for', () => {
  const { subscriptions, heard, stop, ended } = setUp();
  stop();
  subscriptions[0]?.onData(1);
  subscriptions[0]?.onError(new Error('late'));
  vi.runAllTimers();
  expect([heard, subscriptions.length, ended()]).toEqual([[], 1, 1]);
});
