import { afterEach, describe, expect, test, vi } from 'vitest';
import { Link } from '../../../src-renderer/app/Link.svelte.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

function connected({ mayReload = () => true }: { mayReload?: () => boolean } = {}) {
  let tell: (state: 'open' | 'lost') => void = () => undefined;
  let build = 'first';
  const { rpc } = fakeRpc({
    onLink: (listen: typeof tell) => {
      tell = listen;
      return () => undefined;
    },
    'system.info': () => ({ build }),
  });
  const link = new Link(rpc, 'first', mayReload);
  link.start();
  tell('open');
  /** Another core takes the place of this one. */
  const next = async (of: string): Promise<void> => {
    build = of;
    tell('lost');
    tell('open');
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { link, next, tell: (state: 'open' | 'lost') => tell(state) };
}

describe('the connection', () => {
  test('each return of it starts a new epoch; staying open does not', () => {
    const { link, tell } = connected();
    for (const state of ['open', 'lost', 'lost', 'open'] as const) tell(state);
    expect([link.state, link.epoch]).toEqual(['open', 2]);
  });
});

describe('a page whose core was updated', () => {
  afterEach(() => vi.unstubAllGlobals());

  function reloads(): () => number {
    const reload = vi.fn();
    vi.stubGlobal('location', { reload });
    return () => reload.mock.calls.length;
  }

  test('loads itself again if it asked for the restart', async () => {
    const count = reloads();
    const { link, next } = connected();
    await link.restart();
    await next('second');
    expect(count()).toBe(1);
  });

  test('offers that instead while it has unsent text', async () => {
    const count = reloads();
    const { link, next } = connected({ mayReload: () => false });
    await link.restart();
    await next('second');
    expect([count(), link.isOutdated]).toEqual([0, true]);
  });

  test('is not outdated any more when its own build runs again', async () => {
    const { link, next } = connected();
    await next('second');
    expect(link.isOutdated).toBe(true);
    await next('first');
    expect(link.isOutdated).toBe(false);
  });

  test('does not load itself again for a later restart by someone else', async () => {
    const count = reloads();
    const { link, next } = connected();
    await link.restart();
    await next('first');
    await next('second');
    expect([count(), link.isOutdated]).toEqual([0, true]);
  });
});
