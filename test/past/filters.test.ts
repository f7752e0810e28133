import { expect, test } from 'vitest';
import type { PastQuery } from '../../src-main/contract/past.ts';
import { ConversationStore } from '../../src-main/conversations/record/ConversationStore.ts';
import { PastHistory } from '../../src-main/past/PastHistory.ts';
import { PastHome } from './support/PastHome.ts';
import { recordTalk } from './support/recordTalk.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);

/** A conversation for each hour, in order. */
const TALKS = [
  { terminalId: 't1', agent: 'claude', cwd: '/work/quay' },
  { terminalId: 't2', agent: 'codex', cwd: '/work/quay/src' },
  { terminalId: 't3', agent: 'claude', cwd: '/work/quayside' },
  { terminalId: 't4', agent: 'gemini', cwd: '/work' },
];

test.each<[string, Partial<PastQuery>, string[]]>([
  ['without a filter all, newest first', {}, ['t4', 't3', 't2', 't1']],
  ['by agent', { agent: 'claude' }, ['t3', 't1']],
  ['by project, with its subfolders and no folder of a similar name', { cwd: '/work/quay' }, ['t2', 't1']],
  ['by project, whose folder ends with a slash', { cwd: '/work/quay/' }, ['t2', 't1']],
  ['from a date', { sinceMs: START_MS + 2 * HOUR_MS }, ['t4', 't3']],
  ['until a date', { untilMs: START_MS + HOUR_MS }, ['t2', 't1']],
  ['by all of them', { agent: 'claude', cwd: '/work', untilMs: START_MS + HOUR_MS }, ['t1']],
])('History lists %s', async (_, query, expected) => {
  using place = new PastHome();
  for (const [n, talk] of TALKS.entries()) {
    const fromMs = START_MS + n * HOUR_MS;
    const said = [{ kind: 'user' as const, text: `Ask ${n}`, atMs: fromMs + 1_000 }];
    recordTalk(place.dataFolder, { ...talk, fromMs, toMs: fromMs + 60_000, said });
  }
  const history = new PastHistory({
    chats: new ConversationStore(place.dataFolder, () => undefined),
    file: () => null,
    find: () => expect.unreachable(),
  });
  const { rows, facets } = await history.page({ text: '', limit: 50, isHere: true, ...query });
  expect(rows.map(({ terminalId }) => terminalId)).toEqual(expected);
  expect(facets?.agents.map(({ agent, count }) => `${agent} ${count}`)).toEqual(['claude 2', 'gemini 1', 'codex 1']);
});
