import { afterEach, describe, expect, test, vi } from 'vitest';
import { forgetToken, handTokenToApp, isRefused, obtainToken, takeKeptHash } from '../../../src-renderer/rpc/token.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser's tab at `/#hash` with `kept` as its stored token; `answer` gives the host's response. */
function tab(
  hash: string,
  kept: string | null,
  answer: () => Promise<Partial<Response>> = () => Promise.reject(new Error('unasked')),
) {
  const store = new Map(kept === null ? [] : [['hansard.token', kept]]);
  const shown: string[] = [];
  const fetched = vi.fn(answer);
  vi.stubGlobal('location', { hash, pathname: '/', search: '' });
  vi.stubGlobal('history', { replaceState: (_: unknown, __: string, url: string) => shown.push(url) });
  vi.stubGlobal('sessionStorage', storageOf(store));
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('fetch', fetched);
  return { store, shown, fetched };
}

function storageOf(store: Map<string, string>) {
  return {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  };
}

/** An installed app at `/#hash`; each start has an empty session storage. */
function app(hash: string, lasting: Map<string, string>) {
  tab(hash, null, () => Promise.resolve({ ok: true, json: async () => ({ token: 'T' }) }));
  vi.stubGlobal('localStorage', storageOf(lasting));
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(display-mode: standalone)' }));
}

describe('the access token of an installed app', () => {
  test('lasts over its starts until it is refused', async () => {
    const lasting = new Map<string, string>();
    app('#abc', lasting);
    expect(await obtainToken()).toBe('T');
    app('', lasting);
    expect(await obtainToken()).toBe('T');
    forgetToken();
    app('', lasting);
    expect([await obtainToken(), lasting.size]).toEqual([null, 0]);
  });

  test('is that of the tab from which it was installed', async () => {
    const lasting = new Map<string, string>();
    tab('', 'T');
    vi.stubGlobal('localStorage', storageOf(lasting));
    const page = new EventTarget();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    handTokenToApp();
    expect([await obtainToken(), lasting.size]).toEqual(['T', 0]);
    page.dispatchEvent(new Event('appinstalled'));
    app('', lasting);
    expect(await obtainToken()).toBe('T');
  });
});

describe('the access token', () => {
  test('is exchanged for the code, kept for a reload, and the code leaves the address', async () => {
    const { store, shown, fetched } = tab('#abc', null, () =>
      Promise.resolve({ ok: true, json: async () => ({ token: 'T' }) }),
    );
    expect(await obtainToken()).toBe('T');
    expect([store.get('hansard.token'), shown]).toEqual(['T', ['/']]);
    expect(fetched.mock.calls[0]).toMatchObject(['/api/exchange', { method: 'POST', body: '{"code":"abc"}' }]);
  });

  test('is exchanged for the code alone, and the place behind it is kept for the window', async () => {
    const { fetched } = tab('#abc/terminal/t1/card/b1', null, () =>
      Promise.resolve({ ok: true, json: async () => ({ token: 'T' }) }),
    );
    expect([await obtainToken(), takeKeptHash()]).toEqual(['T', '#/terminal/t1/card/b1']);
    expect(fetched.mock.calls[0]).toMatchObject(['/api/exchange', { body: '{"code":"abc"}' }]);
  });

  test('is never asked for with the place of a card, which is kept until there is a token', async () => {
    const { fetched } = tab('#/terminal/t1/block/b1', null);
    expect([await obtainToken(), fetched.mock.calls.length]).toEqual([null, 0]);
    expect([takeKeptHash(), takeKeptHash()]).toEqual(['#/terminal/t1/block/b1', null]);
  });

  test('of a reload is the kept one, and nothing is asked', async () => {
    const { fetched } = tab('', 'kept');
    expect([await obtainToken(), fetched.mock.calls.length]).toEqual(['kept', 0]);
  });

  test('survives a code that was used before', async () => {
    tab('#used', 'kept', () => Promise.resolve({ ok: false }));
    expect(await obtainToken()).toBe('kept');
  });

  test('is not there without a code, and gone when it is forgotten', async () => {
    const { store } = tab('', 'old');
    forgetToken();
    expect([await obtainToken(), store.size]).toEqual([null, 0]);
  });
});

test.each([
  ['a host that knows another token refuses', () => Promise.resolve({ status: 401 }), true],
  ['a host that accepts it does not', () => Promise.resolve({ status: 200 }), false],
  ['a host that is not there does not either', () => Promise.reject(new TypeError('refused')), false],
])('%s', async (_, answer, expected) => {
  tab('', null, answer);
  expect(await isRefused('T')).toBe(expected);
});
