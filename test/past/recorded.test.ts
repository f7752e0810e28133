import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PAST_ID } from '../../src-main/contract/pastId.ts';
import { runImport } from '../../src-main/past/runImport.ts';
import { findByFiles, findByIndex } from '../../src-main/search/findEverywhere.ts';
import { SearchIndexer } from '../../src-main/search/SearchIndexer.ts';
import { searchHere } from '../../src-main/search/searchHere.ts';
import { pastPath } from '../../src-main/store/past/PastFile.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { aQuery, gather } from '../search/find.ts';
import { PastHome } from './support/PastHome.ts';
import { recordTalk } from './support/recordTalk.ts';
import {
  appendTurns,
  LINE_FORMS,
  type LogForm,
  type Session,
  sessionId,
  writeSession,
} from './support/syntheticLogs.ts';

const START_MS = Date.UTC(2026, 0, 1, 12);
const TURN_MS = 60_000;
const FORMS = LINE_FORMS.map((form) => ({ agent: form.agent, form }));

let place: PastHome;
beforeEach(() => {
  place = new PastHome();
});
afterEach(() => place[Symbol.dispose]());

function session(agent: string, turns = 4): Session {
  const said = Array.from({ length: turns }, (_, n) => ({ prompt: `Ask lantern ${n}`, answer: `Say harbour ${n}` }));
  return { id: sessionId(agent, 1), cwd: '/work/quay', atMs: START_MS, turns: said };
}

/** Writes a terminal's record of the turns `from` to `to` of a session. */
function recorded(form: LogForm, one: Session, [from, to]: [number, number], resumeId?: string): void {
  const said = one.turns.slice(from, to).flatMap(({ prompt, answer }, at) => {
    const atMs = one.atMs + (from + at) * TURN_MS;
    return [
      { kind: 'user' as const, text: prompt.replace(' ', '\n'), atMs: atMs + 400 }, // as a narrow screen wraps it
      { kind: 'model' as const, text: answer, atMs: atMs + 3500 },
    ];
  });
  recordTalk(place.dataFolder, {
    ...{ terminalId: 't1', agent: form.agent, cwd: one.cwd, said },
    ...{ fromMs: one.atMs + from * TURN_MS - 2000, toMs: one.atMs + to * TURN_MS - 20_000 },
    ...(resumeId !== undefined && { resumeId }),
  });
}

const run = () => runImport({ dataFolder: place.dataFolder, home: place.home, env: {} });

/** Texts that a search finds with the index, without it, and by an expression over the files; all three must agree. */
async function found(words: string): Promise<{ texts: string[]; sources: string[] }> {
  const keeper = new SearchIndexer(place.dataFolder, silentLog, () => true);
  keeper.look();
  await keeper.settled();
  const { index } = keeper;
  if (!index) throw new Error('the index was not made');
  const query = aQuery(words, { in: ['chat'] });
  const all = [await gather(findByIndex({ dataFolder: place.dataFolder, index }, query))];
  await keeper.close();
  all.push(await gather(searchHere(place.dataFolder, query)));
  all.push(await gather(findByFiles(place.dataFolder, { ...query, mode: 'regex', query: words })));
  const [first, ...others] = all.map(({ hits }) => ({
    texts: hits.map(({ lines }) => lines[0]?.text ?? ''),
    sources: hits.map(({ terminalId }) => terminalId),
  }));
  for (const other of others) expect(other).toEqual(first);
  if (!first) throw new Error('something was asked');
  return first;
}

describe.each(FORMS)('a conversation of $agent', ({ form, agent }) => {
  test('that a terminal recorded whole is found once, in its terminal, by its prompts', async () => {
    const one = session(agent);
    writeSession(place.home, form, one);
    recorded(form, one, [0, 4]);
    expect((await run()).agents).toMatchObject([{ agent, conversations: 1, recorded: 1 }]);
    const { texts, sources } = await found('harbour');
    expect(texts).toEqual(['Say harbour 3', 'Say harbour 2', 'Say harbour 1', 'Say harbour 0']);
    expect(new Set(sources)).toEqual(new Set(['t1']));
  });

  test('that was resumed in a terminal is found there from then on, and in the log before', async () => {
    const one = session(agent);
    writeSession(place.home, form, one);
    recorded(form, one, [2, 4], one.id);
    await run();
    const { texts, sources } = await found('harbour');
    expect(texts).toEqual(['Say harbour 3', 'Say harbour 2', 'Say harbour 1', 'Say harbour 0']);
    expect(sources).toEqual(['t1', 't1', PAST_ID, PAST_ID]);
  });

  test('is found in the log again when the terminal is removed, and elsewhere meanwhile', async () => {
    const one = session(agent);
    writeSession(place.home, form, one);
    recorded(form, one, [0, 4]);
    await run();
    await found('harbour');
    rmSync(new SessionFolder(place.dataFolder, 't1').root, { recursive: true });
    await run();
    expect((await found('harbour')).sources).toEqual([PAST_ID, PAST_ID, PAST_ID, PAST_ID]);
  });

  test('of the same words at another time, or in another folder, is another one', async () => {
    const one = session(agent);
    writeSession(place.home, form, one);
    recorded(form, { ...one, atMs: START_MS + 3_600_000 }, [0, 4]);
    await run();
    expect((await found('harbour')).texts).toHaveLength(8);
  });
});

test('what is appended, changed and removed is followed by the index', async () => {
  const [form] = LINE_FORMS;
  if (!form) throw new Error('there are forms');
  const one = session('claude', 1);
  writeSession(place.home, form, one);
  await run();
  expect((await found('harbour')).texts).toEqual(['Say harbour 0']);
  appendTurns(place.home, form, { session: session('claude', 3), from: 1 });
  await run();
  expect((await found('harbour')).texts).toHaveLength(3);
  writeSession(place.home, form, { ...one, turns: [{ prompt: 'Other', answer: 'Say harbour anew' }] });
  await run();
  expect((await found('harbour')).texts).toEqual(['Say harbour anew']);
  rmSync(pastPath(place.dataFolder));
  for (const end of ['-wal', '-shm']) rmSync(`${pastPath(place.dataFolder)}${end}`, { force: true });
  expect((await found('harbour')).texts).toEqual([]);
});
