import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { follow } from '../../../src-renderer/rpc/follow.ts';
import { followChat } from '../../../src-renderer/rpc/followChat.ts';
import { Refusals } from '../../../src-renderer/rpc/Refusals.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

interface On {
  onData(value: unknown): void;
  onError(error: unknown): void;
}
const REASON = 'far sent something that this version of Hansard does not accept (block.onChange).';
const refusal = () =>
  TRPCClientError.from({ error: { message: REASON, code: -32603, data: { code: 'BAD_GATEWAY' } } } as never);

function setUp() {
  const refusals = new Refusals();
  const on: On[] = [];
  let ended = 0;
  const subscribe = (listener: On) => {
    on.push(listener);
    return { unsubscribe: () => (ended += 1) };
  };
  const refuse = (reason: string, begin: () => void) => refusals.add({ terminalId: 't', reason, begin });
  const seen: string[] = [];
  refusals.on((views) => seen.push([...views].join(' ')));
  return { refusals, on, subscribe, refuse, seen, ended: () => ended };
}

test('a view whose machine sent nonsense is followed again only when the person asks', () => {
  const { refusals, on, subscribe, refuse, seen } = setUp();
  follow(subscribe, () => undefined, refuse);
  on[0]?.onError(refusal());
  vi.runAllTimers();
  expect([on.length, seen]).toEqual([1, ['', `t,${REASON}`]]);
  refusals.again('another');
  expect(on.length).toBe(1);
  refusals.again('t');
  expect([on.length, seen.at(-1)]).toEqual([2, '']);
});

test('a view that is closed is refused no longer', () => {
  const { on, subscribe, refuse, seen } = setUp();
  const stop = follow(subscribe, () => undefined, refuse);
  on[0]?.onError(refusal());
  stop();
  expect(seen.at(-1)).toBe('');
});

test('any other error is asked for again, as before', () => {
  const { on, subscribe, refuse, seen } = setUp();
  follow(subscribe, () => undefined, refuse);
  on[0]?.onError(new Error('broke'));
  vi.runAllTimers();
  expect([on.length, seen]).toEqual([2, ['']]);
});

test('a change of a message that never came ends the conversation, and says so', () => {
  const { on, subscribe, refuse, seen, ended } = setUp();
  const chat = { onChange: { subscribe: (_input: unknown, listener: On) => subscribe(listener) } };
  const heard: unknown[] = [];
  const listen = (change: unknown) => heard.push(change);
  followChat({ chat } as never, { terminalId: 't' }, { listen, refuse });
  on[0]?.onData({ type: 'all', conversations: [] });
  on[0]?.onData({ type: 'delta', id: 'm1', at: 0, text: 'x' });
  expect([heard.length, ended(), seen.at(-1)]).toEqual([
    1,
    1,
    't,a change of the message "m1" came before the message',
  ]);
});
