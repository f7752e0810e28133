import { describe, expect, test } from 'vitest';
import { Link } from '../../../src-renderer/app/Link.svelte.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

describe('the connection', () => {
  test('each return of it starts a new epoch; staying open does not', () => {
    let tell: (state: 'open' | 'lost') => void = () => undefined;
    const { rpc } = fakeRpc({
      onLink: (listen: typeof tell) => {
        tell = listen;
        return () => undefined;
      },
    });
    const link = new Link(rpc);
    link.start();
    for (const state of ['open', 'open', 'lost', 'lost', 'open'] as const) tell(state);
    expect([link.state, link.epoch]).toEqual(['open', 2]);
  });
});
