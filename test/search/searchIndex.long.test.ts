import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchHit, SearchQuery } from '../../src-main/contract/search.ts';
import { findByFiles, findByIndex } from '../../src-main/search/findEverywhere.ts';
import { SearchIndexer } from '../../src-main/search/SearchIndexer.ts';
import { IndexFile, IndexUnusable, indexPath } from '../../src-main/store/index/IndexFile.ts';
import { isWhole } from '../../src-main/store/index/isWhole.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { anAct, History } from '../store/index/history.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { aQuery, gather } from './find.ts';

const data = suiteFolder('search-index');
let made = 0;

function freshHome(): string {
  const home = join(data, `home-${++made}`);
  mkdirSync(home, { mode: 0o700 });
  return home;
}

async function built(home: string): Promise<SearchIndexer> {
  const keeper = new SearchIndexer(home, silentLog);
  keeper.look();
  await keeper.settled();
  return keeper;
}

async function lookUp(home: string, keeper: SearchIndexer, query: SearchQuery): Promise<SearchHit[]> {
  const { index } = keeper;
  if (!index) throw new Error('there is no index');
  return (await gather(findByIndex({ dataFolder: home, index }, query))).hits;
}

/** Sorts hits by time and id, because hits of the same time have no order. */
function inOrder(hits: readonly SearchHit[]): SearchHit[] {
  return [...hits].sort((a, b) => b.atMs - a.atMs || (`${a.terminalId}/${a.id}` < `${b.terminalId}/${b.id}` ? -1 : 1));
}

const QUERIES = [
  'alpha',
  'alph',
  'gamma delta',
  '"beta alpha"',
  '日本',
  '本語',
  '🚀',
  'unicode',
  'a.ts:3',
  '"quoted" x',
  'NOT',
  'nothing',
];
const history = fc.array(
  fc.oneof({ weight: 8, arbitrary: anAct }, { weight: 2, arbitrary: fc.constant('look' as const) }),
  {
    minLength: 5,
    maxLength: 60,
  },
);

test('an index that followed a history finds what one made afterwards finds, and what reading the files finds', async () => {
  const runs = fuzzRuns(20);
  let found = 0;
  await fc.assert(
    fc.asyncProperty(history, async (acts) => {
      const home = freshHome();
      const written = new History(home);
      const followed = await built(home);
      for (const act of acts) {
        if (act !== 'look') written.do(act);
        else {
          followed.look();
          for (const id of ['t0', 't1', 't2']) followed.poke(id);
          await followed.settled();
        }
      }
      followed.look();
      await followed.settled();
      const answers: SearchHit[][] = [];
      for (const query of QUERIES) answers.push(await lookUp(home, followed, aQuery(query)));
      found += answers.flat().length;
      expect(followed.index && (await isWhole(home, followed.index))).toBe(true);
      await followed.close();
      IndexFile.remove(home);
      const rebuilt = await built(home);
      for (const [at, query] of QUERIES.entries()) {
        expect(inOrder(await lookUp(home, rebuilt, aQuery(query))), query).toEqual(inOrder(answers[at] ?? []));
        const read = await gather(findByFiles(home, aQuery(query)));
        expect(inOrder(read.hits), `${query}, read`).toEqual(inOrder(answers[at] ?? []));
      }
      await rebuilt.close();
    }),
    runs,
  );
  expect(found / runs.numRuns, 'hits of a history').toBeGreaterThan(200 / 60);
}, 240_000);

const WORDS = 'one two three four five six seven eight nine ten'.split(' ');

async function recorded(count: number): Promise<string> {
  const home = freshHome();
  const written = new History(home);
  for (let n = 0; n < count; n++) {
    written.do({ type: 'begin', terminal: n % 3, cmd: `run ${WORDS[n % 10]}` });
    written.do({ type: 'end', terminal: n % 3, output: `line a\nnumber ${n} here\n`, exitCode: n % 2 });
  }
  return home;
}

async function idsOf(home: string, keeper: SearchIndexer, query: SearchQuery): Promise<string[]> {
  return (await lookUp(home, keeper, query)).map(({ terminalId, id }) => `${terminalId}/${id}`);
}

test('pages follow each other without a gap or a repetition, and the newest come first', async () => {
  const home = await recorded(30);
  const keeper = await built(home);
  const whole = await lookUp(home, keeper, aQuery('number'));
  expect(whole).toHaveLength(30);
  expect(whole.map(({ atMs }) => atMs)).toEqual(whole.map(({ atMs }) => atMs).sort((a, b) => b - a));
  for (const find of ['index', 'files'] as const) {
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const query = aQuery('number', { limit: 7, ...(cursor && { cursor }) });
      const events =
        find === 'files' || !keeper.index
          ? findByFiles(home, query)
          : findByIndex({ dataFolder: home, index: keeper.index }, query);
      const { hits, end } = await gather(events);
      paged.push(...hits.map(({ terminalId, id }) => `${terminalId}/${id}`));
      cursor = end.next;
    } while (cursor);
    expect(paged.toSorted(), find).toEqual(whole.map(({ terminalId, id }) => `${terminalId}/${id}`).toSorted());
  }
  await keeper.close();
});

test('filters keep what they name, looked up and read', async () => {
  const home = await recorded(20);
  const keeper = await built(home);
  const all = await lookUp(home, keeper, aQuery('number'));
  const [newest, second] = all;
  if (!newest || !second) throw new Error('nothing was found');
  const wishes: [Partial<SearchQuery>, (hit: SearchHit) => boolean][] = [
    [{ terminalId: 't1' }, ({ terminalId }) => terminalId === 't1'],
    [{ without: ['t0', 't1'] }, ({ terminalId }) => terminalId === 't2'],
    [{ exit: 'failed' }, (hit) => hit.type === 'block' && hit.exitCode === 1],
    [{ exit: 'ok' }, (hit) => hit.type === 'block' && hit.exitCode === 0],
    [{ exit: 7 }, () => false],
    [{ cwd: '/home' }, () => true],
    [{ cwd: '/home/' }, () => true],
    [{ cwd: '/hom' }, () => false],
    [{ sinceMs: newest.atMs }, ({ atMs }) => atMs >= newest.atMs],
    [{ untilMs: newest.atMs - 1 }, ({ atMs }) => atMs < newest.atMs],
    [{ in: ['cmd'] }, () => false],
  ];
  for (const [wish, isKept] of wishes) {
    const expected = inOrder(all.filter(isKept)).map(({ id }) => id);
    const query = aQuery('number', wish);
    expect(
      inOrder(await lookUp(home, keeper, query)).map(({ id }) => id),
      JSON.stringify(wish),
    ).toEqual(expected);
    const read = await gather(findByFiles(home, query));
    expect(
      inOrder(read.hits).map(({ id }) => id),
      `${JSON.stringify(wish)}, read`,
    ).toEqual(expected);
  }
  await keeper.close();
});

test.each([
  ['missing', (home: string) => IndexFile.remove(home)],
  ['of another version', (home: string) => setVersion(home, 99)],
  ['no database at all', (home: string) => writeFileSync(indexPath(home), 'x'.repeat(5000))],
  ['cut in half', (home: string) => truncateSync(indexPath(home), Math.floor(statSync(indexPath(home)).size / 2))],
  ['empty', (home: string) => truncateSync(indexPath(home), 0)],
  ['overwritten from the second page on', (home: string) => overwrite(indexPath(home), 4096)],
])('an index that is %s is made anew and finds the same', async (_, damage) => {
  const home = await recorded(60);
  const before = await built(home);
  const expected = await idsOf(home, before, aQuery('number'));
  expect(expected).toHaveLength(60);
  await before.close();
  damage(home);
  const after = await built(home);
  await lookUp(home, after, aQuery('number')).catch((error: unknown) => {
    if (!(error instanceof IndexUnusable)) throw error; // the first query that reads the damaged page fails
    after.rebuild('test');
  });
  await after.settled();
  expect(await idsOf(home, after, aQuery('number'))).toEqual(expected);
  await after.close();
});

test('the files of the index are for nobody else, and a link is not followed', async () => {
  const home = await recorded(3);
  const keeper = await built(home);
  for (const end of ['', '-wal', '-shm']) expect(statSync(`${indexPath(home)}${end}`).mode & 0o777).toBe(0o600);
  await keeper.close();
  IndexFile.remove(home);
  const elsewhere = join(data, 'elsewhere');
  writeFileSync(elsewhere, 'mine');
  symlinkSync(elsewhere, indexPath(home));
  const again = await built(home);
  expect(again.index).not.toBeNull();
  await again.close();
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
});

test('what was removed from the record is not in the file of the index any more', async () => {
  const home = freshHome();
  const written = new History(home);
  written.do({ type: 'begin', terminal: 0, cmd: 'echo zanzibarsecret' });
  written.do({ type: 'end', terminal: 0, output: 'zanzibarsecret\n', exitCode: 0 });
  for (let n = 0; n < 40; n++) written.do({ type: 'begin', terminal: 1, cmd: `other ${n}` });
  const keeper = await built(home);
  expect(await idsOf(home, keeper, aQuery('zanzibarsecret'))).toHaveLength(1);
  written.do({ type: 'remove', terminal: 0 });
  keeper.look();
  await keeper.settled();
  expect(await idsOf(home, keeper, aQuery('zanzibarsecret'))).toEqual([]);
  await keeper.close();
  expect(readFileSync(indexPath(home)).includes('zanzibarsecret')).toBe(false);
});

test('an output of more than 2 MiB is found by its start and its end, with the right line numbers, and by reading anywhere', async () => {
  const home = freshHome();
  const written = new History(home);
  const lines = Array.from({ length: 90_000 }, (_, n) => `ordinary line ${n} of a very long output`);
  lines[10] = 'needlehead';
  lines[45_000] = 'needlemiddle';
  lines[89_990] = 'needletail';
  written.do({ type: 'begin', terminal: 0, cmd: 'long' });
  written.do({ type: 'end', terminal: 0, output: `${lines.join('\n')}\n`, exitCode: 0 });
  const keeper = await built(home);
  const linesOf = async (query: string): Promise<number[]> =>
    (await lookUp(home, keeper, aQuery(query))).flatMap((hit) => hit.lines.map(({ n }) => n));
  expect([await linesOf('needlehead'), await linesOf('needletail'), await linesOf('needlemiddle')]).toEqual([
    [10],
    [89_990],
    [45_000],
  ]);
  if (!keeper.index) throw new Error('there is no index');
  const index = keeper.index;
  const find = (more: Partial<SearchQuery>) =>
    gather(findByIndex({ dataFolder: home, index }, aQuery('needlemiddle', more)));
  const late = await find({ budgetMs: 0 });
  expect([late.hits, late.end]).toMatchObject([[], { notSearched: [{ terminalId: 't0' }], next: null }]);
  const read = await gather(findByFiles(home, aQuery('needlemid', { mode: 'exact' })));
  expect(read.hits.map((hit) => hit.lines.map(({ n }) => n))).toEqual([[45_000]]);
  await keeper.close();
});

test('an output that is found by its end says that its middle was not searched', async () => {
  const home = freshHome();
  const written = new History(home);
  const lines = Array.from({ length: 90_000 }, (_, n) => `ordinary line ${n} of a very long output`);
  lines[45_000] = 'error: the cause';
  lines[89_999] = 'Error 2';
  for (const output of [lines.join('\n'), 'Error 3']) {
    written.do({ type: 'begin', terminal: 0, cmd: 'make' });
    written.do({ type: 'end', terminal: 0, output: `${output}\n`, exitCode: 2 });
  }
  const keeper = await built(home);
  const hits = await lookUp(home, keeper, aQuery('error'));
  const told = hits.map((hit) => [hit.lines.map(({ text }) => text).join(), 'isMiddleUnread' in hit]);
  expect(told.sort()).toEqual([
    ['Error 2', true],
    ['Error 3', false],
  ]);
  await keeper.close();
});

test('a line that is too long to be searched is named, and the others are searched', async () => {
  const home = freshHome();
  const written = new History(home);
  written.do({ type: 'begin', terminal: 0, cmd: 'long' });
  written.do({ type: 'end', terminal: 0, output: 'needle\n', exitCode: 0 });
  const blocks = new SessionFolder(home, 't0').blocksDir;
  const [name = ''] = readdirSync(blocks).filter((one) => one.endsWith('.out'));
  truncateSync(join(blocks, name), 129 * 1024 * 1024); // a hole, which uses no disk space
  appendFileSync(join(blocks, name), '\nneedle\n');
  for (const mode of ['exact', 'words'] as const) {
    const { hits, end } = await gather(findByFiles(home, aQuery('needle', { mode, in: ['output'] })));
    expect(hits).toMatchObject([{ lines: [{ n: 0 }, { n: 2 }] }]);
    expect(end.notSearched).toEqual([{ terminalId: 't0', id: basename(name, '.out'), lines: [1] }]);
  }
});

function setVersion(home: string, version: number): void {
  const db = new DatabaseSync(indexPath(home));
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
}

function overwrite(path: string, from: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - from, 0x5a), 0, undefined, from);
  closeSync(file);
}

test('a terminal that is seen for the first time when it has something already is there with all of it', async () => {
  const home = freshHome();
  const keeper = await built(home); // the index is empty and does not check again for two seconds
  const written = new History(home);
  for (const output of ['alpha', 'beta'])
    for (const act of [
      { type: 'begin', terminal: 0, cmd: 'x' } as const,
      { type: 'end', terminal: 0, output, exitCode: 0 } as const,
    ])
      written.do(act);
  keeper.poke('t0');
  await keeper.freshen();
  expect(await keeper.progress()).toBeNull();
  expect(await idsOf(home, keeper, aQuery('alpha'))).toHaveLength(1);
  await keeper.close();
});

test('on a disk with little room nothing is written, and what came meanwhile is there when there is room again', async () => {
  const home = await recorded(10);
  let isRoomy = false;
  const keeper = new SearchIndexer(home, silentLog, () => isRoomy);
  keeper.poke('t0');
  keeper.look();
  await keeper.settled();
  await keeper.freshen();
  expect(keeper.index).toBeNull();
  expect(existsSync(indexPath(home))).toBe(false);
  isRoomy = true;
  await expect.poll(() => keeper.index !== null, { timeout: 5000 }).toBe(true); // the check of the disk's room is valid for a second
  await keeper.settled();
  expect(await idsOf(home, keeper, aQuery('number'))).toHaveLength(10);
  await keeper.close();
});
