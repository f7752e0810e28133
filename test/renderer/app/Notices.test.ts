import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Notices } from '../../../src-renderer/app/Notices.svelte.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('notices', () => {
  const notice = {
    key: 'disk',
    level: 'error',
    text: 'full',
    action: null,
    terminalId: null,
    atMs: 1,
    cleared: false,
  } as const;

  test('one key stands once, with the latest text, until it is cleared', () => {
    const notices = new Notices(fakeRpc().rpc);
    notices.apply(notice);
    notices.apply({ ...notice, text: 'still full' });
    expect(notices.standing.map(({ text }) => text)).toEqual(['still full']);
    notices.apply({ ...notice, cleared: true });
    expect(notices.standing).toEqual([]);
  });

  test('another machine has at most three, its newest, beside all of this one', () => {
    const notices = new Notices(fakeRpc().rpc);
    for (let at = 0; at < 40; at += 1) notices.apply({ ...notice, key: `on-abc123-${at}`, text: `${at}`, atMs: at });
    for (let at = 0; at < 5; at += 1) notices.apply({ ...notice, key: `own${at}`, text: `own ${at}`, atMs: at });
    const texts = notices.standing.map(({ text }) => text);
    expect(texts.filter((text) => !text.startsWith('own'))).toEqual(['37', '38', '39']);
    expect(texts).toHaveLength(8);
  });

  test('a remark goes by itself, and a failure gives its reason and stays longer', () => {
    const notices = new Notices(fakeRpc().rpc);
    notices.say('Copied');
    vi.advanceTimersByTime(3000);
    expect(notices.remark).toBeNull();
    notices.fail('Could not copy', new Error('not allowed'));
    vi.advanceTimersByTime(3000);
    expect(notices.remark).toEqual({ text: 'Could not copy: not allowed', isError: true });
  });

  test('a failure for which the connection broke says that, not what the browser says of it', () => {
    const notices = new Notices(fakeRpc().rpc);
    notices.fail('Could not paste', TRPCClientError.from(new Event('close') as never));
    expect(notices.remark?.text).toBe('Could not paste: the connection to Hansard was lost before it answered');
  });
});
