import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Settings } from '../../src-main/contract/settings.ts';
import { Housekeeping, type HousekeepingDeps } from '../../src-main/core/Housekeeping.ts';
import { Pruning } from '../../src-main/core/Pruning.ts';
import { Notices } from '../../src-main/notices/Notices.ts';
import { restedPath } from '../../src-main/store/files/openRecordFile.ts';
import { markWriter } from '../../src-main/store/instance/writerMark.ts';
import { markExported } from '../../src-main/store/record/retention.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { trashItems } from '../../src-main/store/record/trash.ts';
import type { Clock } from '../../src-main/util/Clock.ts';
import { begun, ended, jsonLines } from '../store/records.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const DAY_MS = 24 * 3600_000;
const HOUR_MS = 3600_000;
const root = suiteFolder('housekeeping');
let data = '';
let round = 0;
let clock = new FakeClock();
let notices = new Notices();
let open = new Set<string>();
let settings = Settings.parse({});
let outputBytes = 0;
let keeping: Housekeeping;
const logged: string[] = [];

beforeEach(() => {
  round += 1;
  data = join(root, String(round));
  clock = new FakeClock();
  notices = new Notices();
  open = new Set();
  settings = Settings.parse({});
  outputBytes = 0;
  logged.length = 0;
  keeping = new Housekeeping(deps());
});
afterEach(() => keeping.stop());

function deps(): HousekeepingDeps {
  return {
    dataFolder: data,
    clock,
    notices,
    log: (event, fields) => logged.push(`${event} ${fields?.terminalId ?? fields?.reason ?? ''}`),
    limits: () => settings,
    openIds: () => open,
    outputBytes: () => outputBytes,
  };
}

/** A terminal with 200,000 bytes of output that was last written `daysAgo`. */
function record(id: string, daysAgo: number, { bookmarked = false } = {}): SessionFolder {
  const folder = new SessionFolder(data, id);
  folder.create();
  writeFileSync(folder.meta, JSON.stringify({ ...META, id, name: `name of ${id}` }));
  writeFileSync(folder.raw, 'line\n'.repeat(40_000));
  writeFileSync(folder.blocksJsonl, jsonLines([begun(1), ended(1, { bookmarked })]));
  const atS = (clock.nowMs() - daysAgo * DAY_MS) / 1000;
  for (const path of [folder.meta, folder.raw, folder.blocksJsonl]) utimesSync(path, atS, atS);
  return folder;
}

const META = { version: 1, shell: 'bash', argv: ['/bin/bash'], cwd: '/', cols: 80, rows: 24, createdMs: 0 };

/** Lets disk work continue and advances the clock until `isMet`. */
async function until(isMet: () => boolean): Promise<void> {
  for (let turn = 0; !isMet(); turn += 1) {
    if (turn > 20_000) throw new Error(`not met; logged: ${logged.join(', ')}`);
    // Later turns last 1 ms, because real files are written and a busy disk can need longer than 200 turns.
    await new Promise((resolve) => (turn < 200 ? setImmediate(resolve) : setTimeout(resolve, 1)));
    clock.advance(20);
  }
}

/** Runs the core for a day and prunes every six hours; each time is written to the disk, so it takes a while. */
async function runDay(pruning: Pruning): Promise<void> {
  for (let hour = 0; hour < 24; hour += 6) {
    clock.advance(6 * HOUR_MS);
    await look(pruning);
  }
}

async function look(pruning: Pruning): Promise<void> {
  await pruning.count();
  await pruning.runDaily();
}

const there = (folders: readonly SessionFolder[]) => folders.map(({ root: path }) => existsSync(path));
const trashed = () => trashItems(data).map(({ id }) => id);

/** A clock whose wall time the test sets; monotonic time and timers are those of the fake clock. */
function jumping(nowMs: () => number): Clock {
  return { nowMs, monotonicMs: () => clock.monotonicMs(), after: (ms, run) => clock.after(ms, run) };
}

describe('limits of the record', () => {
  test('removes no terminal after a jump of the clock, at the start or while running, with any age limit (law)', async () => {
    const YEAR_MS = 365 * DAY_MS;
    const jump = fc.record({ byMs: fc.integer({ min: -50 * YEAR_MS, max: 50 * YEAR_MS }), isStart: fc.boolean() });
    const jumps = fc.array(jump, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(jumps, fc.constantFrom(0, 30), async (steps, limit) => {
        round += 1;
        data = join(root, String(round));
        const folders = Array.from({ length: 5 }, (_, at) => record(`t${at}`, at * 20));
        let wallMs = clock.nowMs();
        settings = Settings.parse({ 'retention.days': limit });
        let pruning = new Pruning({ ...deps(), clock: jumping(() => wallMs) });
        for (const [at, { byMs, isStart }] of steps.entries()) {
          wallMs = Math.abs(wallMs + byMs);
          if (isStart) pruning = new Pruning({ ...deps(), clock: jumping(() => wallMs) });
          if (at % 2 === 0) clock.advance(HOUR_MS);
          await look(pruning);
        }
        expect([there(folders), existsSync(join(data, 'trash'))]).toEqual([Array(5).fill(true), false]);
      }),
      fuzzRuns(20),
    );
  });

  test('the default has no age limit', async () => {
    const folders = [record('ancient', 9_000), record('future', -9_000)];
    const pruning = new Pruning(deps());
    for (let day = 0; day < 40; day += 1) await runDay(pruning);
    expect([there(folders), trashed()]).toEqual([[true, true], []]);
  });

  test('moves terminals beyond the age limit to the trash and names them in the window and the log', async () => {
    settings = Settings.parse({ 'retention.days': 3 });
    const old = record('old', 0);
    const stays = [record('marked', 99, { bookmarked: true }), record('tab', 99)];
    const exported = record('exported', 99);
    await markExported(exported);
    open.add('tab');
    const recording = record('recording', 99);
    const mark = markWriter(recording);
    const pruning = new Pruning(deps());
    for (let day = 0; day < 3; day += 1) await runDay(pruning);
    expect(trashed()).toEqual([]);
    await runDay(pruning);
    expect(there([old, ...stays, exported, recording])).toEqual([false, ...Array(4).fill(true)]);
    expect([trashed(), logged.filter((line) => line.startsWith('terminal_removed'))]).toEqual([
      ['old'],
      ['terminal_removed old'],
    ]);
    expect(notices.current).toEqual([
      expect.objectContaining({
        level: 'info',
        text: expect.stringMatching(
          /^1 closed terminal moved to the trash, to keep the record within its limits \(\d\.\d MB\): name of old\.$/,
        ),
      }),
    ]);
    mark.dispose();
  });

  test('keeps a terminal in the trash for seven days of use and counts a restored one as used', async () => {
    settings = Settings.parse({ 'retention.days': 2 });
    const folders = [record('a', 0), record('b', 0)];
    const pruning = new Pruning(deps());
    while (trashed().length < 2) await runDay(pruning);
    expect(await pruning.restore('a')).toEqual({ restored: ['a'], failed: [] });
    await runDay(pruning);
    expect([there(folders), trashed()]).toEqual([[true, false], ['b']]);
    open.add('a');
    for (let day = 0; day < 6; day += 1) await runDay(pruning);
    expect(trashed()).toEqual(['b']);
    for (let day = 0; day < 2; day += 1) await runDay(pruning);
    expect([trashed(), there(folders)]).toEqual([[], [true, false]]);
    expect(logged).toContain('terminal_deleted b');
  });

  test('above the size it warns first, then removes the longest unused, at most 5 % a day', async () => {
    settings = Settings.parse({ 'retention.bytes': 1_000_000 });
    for (let at = 0; at < 45; at += 1) record(`t${at}`, at);
    const pruning = new Pruning(deps());
    await look(pruning);
    expect(notices.current).toEqual([
      expect.objectContaining({ key: 'retention-size', text: expect.stringContaining('After 3 days of use') }),
    ]);
    const perDay = [];
    for (let day = 0; day < 4; day += 1) {
      await runDay(pruning);
      perDay.push(trashed().length);
    }
    expect(perDay).toEqual([0, 0, 2, 4]);
    expect(trashed().sort()).toEqual(['t41', 't42', 't43', 't44']);
    settings = Settings.parse({ 'retention.bytes': 0 });
    await runDay(pruning);
    expect([trashed().length, notices.current.map(({ key }) => key)]).toEqual([4, ['retention']]);
  });

  test('a core that is started again and again on one day removes once', async () => {
    settings = Settings.parse({ 'retention.bytes': 1 });
    for (let at = 0; at < 10; at += 1) record(`t${at}`, at);
    writeFileSync(
      join(data, 'days.json'),
      JSON.stringify({ version: 1, day: 9, dates: ['2026-01-01'], warnedDay: 1, removedDay: 8 }),
    );
    for (let start = 0; start < 5; start += 1) await look(new Pruning(deps()));
    expect(trashed()).toEqual(['t9']);
  });

  test('it looks soon after the start, and hour by hour', async () => {
    settings = Settings.parse({ 'retention.days': 1 });
    record('t1', 0);
    open.add('t1');
    keeping.start();
    clock.advance(30_000);
    await until(() => existsSync(join(data, 'days.json')));
    open.clear();
    for (let hour = 0; !logged.includes('terminal_removed t1'); hour += 1) {
      expect(hour).toBeLessThan(24 * 5);
      let isCounted = false;
      clock.advance(HOUR_MS);
      void keeping.restore('none').then(() => {
        isCounted = true;
      });
      await until(() => isCounted);
    }
    expect(trashed()).toEqual(['t1']);
  });

  test('removes more than 5 % when the person has confirmed the list', async () => {
    settings = Settings.parse({ 'retention.bytes': 500_000 });
    for (const [at, id] of ['a', 'b', 'c', 'd'].entries()) record(id, at + 1);
    expect(await keeping.tidy()).toMatchObject({ removed: [{ id: 'd', why: 'size' }], waiting: 1 });
    for (const id of ['e', 'f']) record(id, 9);
    expect(await keeping.tidy(settings, true)).toMatchObject({
      removed: [{ why: 'size' }, { why: 'size' }, { id: 'c', why: 'size' }],
      waiting: 0,
      titles: { c: 'name of c' },
    });
  });
});

describe('compression in the background', () => {
  test('takes closed terminals that were left alone for an hour, and no other', async () => {
    const rested = record('rested', 1);
    const others = [record('tab', 1), record('just-used', 0.01), record('recording', 1)];
    open.add('tab');
    const mark = markWriter(others[2] as SessionFolder);
    let isDone = false;
    const report = keeping.compress().then((value) => {
      isDone = true;
      return value;
    });
    await until(() => isDone);
    expect(await report).toMatchObject({ files: 1, bytesBefore: 200_000, failed: [] });
    expect(logged).toEqual(['terminal_compressed rested']);
    expect([rested, ...others].map(({ raw }) => [existsSync(raw), existsSync(restedPath(raw))])).toEqual([
      [false, true],
      ...Array(3).fill([true, false]),
    ]);
    mark.dispose();
  });

  test('stands still while a terminal floods, and goes on after it', async () => {
    const { raw } = record('t1', 1);
    const working = keeping.compress();
    let turns = 0;
    let isDone = false;
    void working.then(() => {
      isDone = true;
    });
    while (turns < 300) {
      turns += 1;
      outputBytes += 1_000_000;
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(500);
    }
    expect([isDone, existsSync(raw)]).toEqual([false, true]);
    await until(() => isDone);
    expect(existsSync(restedPath(raw))).toBe(true);
  });

  test('who opens a terminal that is being compressed gets it at once, plain and whole', async () => {
    const { raw } = record('t1', 1);
    const other = record('t2', 1);
    const working = keeping.compress();
    for (let turn = 0; turn < 300; turn += 1) {
      outputBytes += 1_000_000; // keeps the compression paused in the first terminal
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(500);
    }
    open.add('t1');
    await keeping.leave('t1');
    expect([existsSync(raw), existsSync(restedPath(raw))]).toEqual([true, false]);
    let isDone = false;
    void working.then(() => {
      isDone = true;
    });
    await until(() => isDone);
    expect([existsSync(raw), existsSync(restedPath(raw)), existsSync(restedPath(other.raw))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('a stop gives it up at once, whole', async () => {
    const { raw } = record('t1', 1);
    void keeping.compress();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await keeping.stop();
    expect([existsSync(raw), existsSync(restedPath(raw))]).toEqual([true, false]);
  });
});
