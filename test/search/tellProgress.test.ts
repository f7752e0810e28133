import { expect, test } from 'vitest';
import type { IndexProgress, SearchEvent } from '../../src-main/contract/search.ts';
import { tellProgress } from '../../src-main/search/tellProgress.ts';

const END = {
  type: 'end',
  by: 'index',
  total: 0,
  next: null,
  indexing: null,
} as unknown as SearchEvent;
const HALF = { seen: 1, all: 2 };
const MORE = { seen: 3, all: 4 };

test.each<[string, IndexProgress | null, IndexProgress | null, IndexProgress | null]>([
  ['all that was there when the search began', null, null, null],
  ['all of it, and something came while it was looked for', null, HALF, null],
  ['a part of it', HALF, MORE, MORE],
  ['a part of it, and all of it by the end: some may have been missed', HALF, null, HALF],
])('an index that has %s is told as such', async (_, before, after, expected) => {
  let looks = 0;
  let begun = 0;
  const progress = async () => (looks++ === 0 ? before : after);
  const events = (async function* () {
    begun = looks;
    yield END;
  })();
  const told = [];
  for await (const event of tellProgress(events, progress)) told.push(event);
  expect(told).toEqual([{ ...END, indexing: expected }]);
  expect(begun, 'how far it is was asked before the search').toBe(1);
});
