import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SearchEnd, SearchHit } from '../../../src-main/contract/search.ts';
import type { SearchListener } from '../../../src-renderer/rpc/Rpc.ts';
import { EverywhereSearch, keyOf } from '../../../src-renderer/search/EverywhereSearch.svelte.ts';

const hit = (id: string): SearchHit => ({ type: 'block', terminalId: 't', id }) as unknown as SearchHit;
const END: SearchEnd = {
  type: 'end',
  by: 'index',
  total: 1,
  isTotalCapped: false,
  next: null,
  indexing: null,
  isResting: false,
  leftOut: 0,
  notSearched: [],
  unread: [],
  error: null,
} as SearchEnd;
const BUILDING = { ...END, indexing: { seen: 1, all: 2 } } as SearchEnd;

describe('the search over everything', () => {
  let asked: { query: string; cursor?: string | undefined; on: SearchListener; isLeft: boolean }[];
  let search: EverywhereSearch;

  beforeEach(() => {
    vi.useFakeTimers();
    asked = [];
    search = new EverywhereSearch({
      find: ({ query, cursor }, on) => {
        const question = { query, cursor, on, isLeft: false };
        asked.push(question);
        return () => {
          question.isLeft = true;
        };
      },
    });
  });
  afterEach(() => {
    search.dispose();
    vi.useRealTimers();
  });

  function answer(ids: readonly string[], end: SearchEnd): void {
    const { on } = asked.at(-1) as (typeof asked)[number];
    on.onEvent({ type: 'hits', hits: ids.map(hit), titles: {} });
    on.onEvent(end);
  }

  test('asks again while the index is being made, and keeps what was chosen', () => {
    search.search({ query: 'tide' });
    vi.advanceTimersByTime(100);
    answer(['a', 'b'], BUILDING);
    search.chosen = keyOf(hit('b'));
    vi.advanceTimersByTime(1000);
    expect(asked.map(({ query }) => query)).toEqual(['tide', 'tide']);
    expect(search.isSearching, 'nobody has to see that').toBe(false);
    answer(['c', 'a', 'b'], END);
    expect(search.hits.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(search.chosen).toBe(keyOf(hit('b')));
    vi.advanceTimersByTime(10_000);
    expect(asked).toHaveLength(2);
  });

  test('chooses the first when what was chosen is not found any more', () => {
    search.search({ query: 'tide' });
    vi.advanceTimersByTime(100);
    answer(['a'], BUILDING);
    vi.advanceTimersByTime(1000);
    answer(['c'], END);
    expect(search.chosen).toBe(keyOf(hit('c')));
  });

  test('a further page takes the place of a first one that is on its way again', () => {
    search.search({ query: 'tide' });
    vi.advanceTimersByTime(100);
    answer(['a'], { ...BUILDING, next: 'p2' });
    vi.advanceTimersByTime(1000);
    search.more();
    expect(asked.map(({ cursor, isLeft }) => [cursor, isLeft])).toEqual([
      [undefined, false], // the search has ended
      [undefined, true],
      ['p2', false],
    ]);
  });

  test('leaves a reader alone who has gone on to a further page, or has closed it', () => {
    search.search({ query: 'tide' });
    vi.advanceTimersByTime(100);
    answer(['a'], { ...BUILDING, next: 'p2' });
    search.more();
    answer(['b'], BUILDING);
    vi.advanceTimersByTime(10_000);
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'p2']);
    expect(search.hits.map(({ id }) => id)).toEqual(['a', 'b']);
    search.search({ query: 'ebb' });
    vi.advanceTimersByTime(100);
    answer(['a'], BUILDING);
    search.close();
    vi.advanceTimersByTime(10_000);
    expect(asked).toHaveLength(3);
  });
});
