import { expect, test } from 'vitest';
import type { SearchEvent } from '../../src-main/contract/search.ts';
import type { Machines } from '../../src-main/machines/Machines.ts';
import { findEverywhere } from '../../src-main/machines/merge/mergedSearch.ts';
import type { RemoteApi, RemoteListener } from '../../src-main/machines/RemoteApi.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';

const END: SearchEvent = {
  ...{ type: 'end', by: 'index', total: 0, isTotalCapped: false, next: null, indexing: null, isResting: false },
  ...{ leftOut: 0, notSearched: [], unread: [], error: null },
};

async function* ownEnd(): AsyncGenerator<SearchEvent> {
  yield END;
}

test('a machine that finds on and on and never ends its search is named, and asked no more', async () => {
  const clock = new FakeClock();
  let listener: RemoteListener | null = null;
  let isAsked = false;
  const api: Pick<RemoteApi, 'lost' | 'subscribe'> = {
    lost: new Promise<never>(() => undefined),
    subscribe: (_path, _input, given) => {
      listener = given;
      isAsked = true;
      return {
        unsubscribe: () => {
          isAsked = false;
        },
      };
    },
  };
  const link = { view: { key: 'abc123', name: 'box' }, api };
  const machines = { view: { machines: [link.view] }, connected: [link], absent: [], clock } as unknown as Machines;
  const seen: SearchEvent[] = [];
  const search = async (): Promise<void> => {
    const found = findEverywhere({ machines, input: { query: 'x' }, signal: undefined, own: ownEnd() });
    for await (const event of found) seen.push(event);
  };
  const searching = search();
  await soon(() => isAsked).toBe(true);
  const hits: SearchEvent = { type: 'hits', hits: [], titles: {} };
  for (let second = 0; second < 59; second += 1) {
    (listener as RemoteListener | null)?.onData(hits);
    clock.advance(1_000);
  }
  await soon(() => seen.length).toBe(59);
  expect(seen.filter(({ type }) => type === 'end')).toEqual([]);
  clock.advance(1_000);
  await searching;
  expect(seen.at(-1)).toMatchObject({
    unread: [{ path: 'machine box', reason: 'its search did not end within 60 seconds' }],
  });
  expect(isAsked).toBe(false);
});
