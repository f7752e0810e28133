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
