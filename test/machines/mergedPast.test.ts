import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PastPage, PastQuery, PastRow } from '../../src-main/contract/past.ts';
import type { Machines } from '../../src-main/machines/Machines.ts';
import { pastEverywhere } from '../../src-main/machines/merge/mergedPast.ts';
import { ownCursor } from '../../src-main/machines/merge/mergedSearch.ts';
import { FakeClock } from '../support/FakeClock.ts';

const row = (at: number): PastRow => ({
  ...{ key: `t${at}/c`, terminalId: `t${at}`, conversationId: 'c', agent: 'codex', label: 'Codex', version: null },
  ...{ isVersionChecked: true, title: '', cwd: '/src', startedMs: at, updatedMs: at, messages: 1, origin: 'recorded' },
  ...{ isInBoth: false, usage: null, command: null, snippet: null },
});

/** A machine's own pages, as its History gives them. */
function pageOf(times: readonly number[], { cursor, limit = 50 }: Partial<PastQuery>): PastPage {
  const rows = times.toSorted((a, b) => b - a).map(row);
  const from = cursor === undefined ? 0 : rows.findIndex(({ key }) => key === cursor) + 1;
  const page = rows.slice(from, from + limit);
  const facets = { agents: [{ agent: 'codex', label: 'Codex', count: rows.length }], folders: [] };
  const next = from + page.length < rows.length ? (page.at(-1)?.key ?? null) : null;
  return { rows: page, next, facets: cursor === undefined ? facets : null };
}

function everywhere(ours: readonly number[], theirs: readonly (readonly number[] | null)[], query: Partial<PastQuery>) {
  const links = theirs.map((times, at) => ({
    view: { key: `key00${at}`, name: `box${at}` },
    call: async (_type: string, _path: string, input: object) => {
      if (times === null) throw new Error('cut');
      return pageOf(times, input);
    },
  }));
  const machines = { view: { machines: links }, connected: links, absent: [], clock: new FakeClock() };
  const own = pageOf(ours, { ...query, cursor: ownCursor(query.cursor) || undefined });
  return pastEverywhere({ machines: machines as unknown as Machines, input: query, own, signal: undefined });
}

const times = fc.uniqueArray(fc.nat(1_000), { maxLength: 12 });

test('lists each conversation of all machines once, newest first, whatever the size of a page', async () => {
  await fc.assert(
    fc.asyncProperty(
      times,
      fc.array(times, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      async (ours, theirs, limit) => {
        const seen: PastRow[] = [];
        for (let cursor: string | undefined, isMore = true; isMore; ) {
          const page = await everywhere(ours, theirs, { limit, ...(cursor !== undefined && { cursor }) });
          seen.push(...page.rows);
          cursor = page.next ?? undefined;
          isMore = cursor !== undefined;
        }
        const wanted = theirs.flatMap((all, at) => all.map((time) => `on-key00${at}-t${time}/c`));
        expect(seen.map(({ key }) => key).toSorted()).toEqual(
          [...ours.map((time) => `t${time}/c`), ...wanted].toSorted(),
        );
        expect(seen.map(({ updatedMs }) => updatedMs)).toEqual(
          seen.map(({ updatedMs }) => updatedMs).toSorted((a, b) => b - a),
        );
      },
    ),
  );
});

test('adds the numbers of all machines, and names one that does not answer', async () => {
  const page = await everywhere([1, 2], [[3], null], {});
  expect(page.facets?.agents).toEqual([{ agent: 'codex', label: 'Codex', count: 3 }]);
  expect(page.silent).toEqual(['box1']);
});

test('lists this machine alone when it is chosen', async () => {
  const page = await everywhere([1], [[2]], { isHere: true });
  expect(page.rows.map(({ key }) => key)).toEqual(['t1/c']);
});
