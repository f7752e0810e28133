import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countRun, DAY_NEEDS_MS, DayLedger, noteUse, unusedDays } from '../../../src-main/store/record/dayLedger.ts';
import { planRetention, prune, type RetentionEntry, surveyRecord } from '../../../src-main/store/record/retention.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { emptyTrash, restoreFromTrash, trashItems } from '../../../src-main/store/record/trash.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { begun, ended, jsonLines } from '../records.ts';
import { suiteFolder } from '../suiteFolder.ts';

const root = suiteFolder('retention');
let round = 0;
function newData(): string {
  round += 1;
  return join(root, String(round));
}

const settings = { maxUnusedDays: 100, maxBytes: 1_000 };

type Unused = RetentionEntry & { days: number };
const daysOf = (entry: RetentionEntry): number => (entry as Unused).days;

function entry(id: string, change: Partial<Unused> = {}): Unused {
  return { id, bytes: 400, lastUsedMs: 950, isOpen: false, isKept: false, fault: null, days: 50, ...change };
}

describe('planRetention', () => {
  test.each<[string, Unused[], [string, string][]]>([
    ['nothing is old, all fits', [entry('a'), entry('b')], []],
    ['what is old goes', [entry('a', { days: 101 }), entry('b', { days: 100 })], [['a', 'age']]],
    [
      'the longest unused goes until the rest fits, whatever its files say of the time',
      [entry('a', { lastUsedMs: 1 }), entry('b', { days: 51, lastUsedMs: 2_000 }), entry('c', { lastUsedMs: 2 })],
      [['b', 'size']],
    ],
    [
      'what is open or kept stays however old',
      [entry('a', { days: 999, isOpen: true }), entry('b', { days: 999, isKept: true })],
      [],
    ],
    ['what is kept counts', [entry('a', { bytes: 5_000, isKept: true }), entry('b')], [['b', 'size']]],
  ])('%s', (_, entries, removals) => {
    const plan = planRetention(entries, settings, { unusedDays: daysOf, isAsked: true });
    expect(plan.removals.map(({ id, why }) => [id, why])).toEqual(removals);
  });

  const anyEntry = fc.record({
    bytes: fc.nat(600),
    lastUsedMs: fc.integer(),
    days: fc.nat(200),
    isOpen: fc.boolean(),
    isKept: fc.boolean(),
    fault: fc.constant(null),
  });
  const named = (list: Omit<Unused, 'id'>[]): Unused[] => list.map((fields, at) => ({ id: `t${at}`, ...fields }));
  const sum = (some: readonly { bytes: number }[]): number => some.reduce((total, { bytes }) => total + bytes, 0);

  test('removes no more than it must, and never what is open or kept (law)', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 12 }), (list) => {
        const entries = named(list);
        const { removals, waiting } = planRetention(entries, settings, { unusedDays: daysOf, isAsked: true });
        const gone = new Set(removals.map(({ id }) => id));
        const left = entries.filter(({ id }) => !gone.has(id));
        expect(waiting).toBe(0);
        expect(entries.filter(({ isOpen, isKept }) => isOpen || isKept).some(({ id }) => gone.has(id))).toBe(false);
        const free = left.filter(({ isOpen, isKept }) => !isOpen && !isKept);
        expect(free.every(({ days }) => days <= 100)).toBe(true);
        expect(sum(left) <= 1_000 || free.length === 0).toBe(true);
        const last = removals.at(-1);
        if (last?.why === 'size') expect(sum(left) + last.bytes).toBeGreaterThan(1_000);
      }),
    );
  });

  test('a run that did not ask removes at most 5 % of the closed terminals, and at least one (law)', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 120 }), (list) => {
        const entries = named(list);
        const all = planRetention(entries, settings, { unusedDays: daysOf, isAsked: true }).removals;
        const { removals, waiting } = planRetention(entries, settings, { unusedDays: daysOf, isAsked: false });
        const closed = entries.filter(({ isOpen }) => !isOpen).length;
        expect(removals.length).toBe(Math.min(all.length, Math.max(1, Math.floor(closed / 20))));
        expect(removals).toEqual(all.slice(0, removals.length));
        expect(waiting).toBe(all.length - removals.length);
      }),
    );
  });
});

describe('counted days', () => {
  const YEAR_MS = 366 * 24 * 3600_000;
  const aClock = fc.array(
    fc.record({
      /** Real running time of the core since the previous look. */
      ranMs: fc.integer({ min: 0, max: 3 * DAY_NEEDS_MS }),
      /** The wall clock at this look, which may jump. */
      nowMs: fc.integer({ min: 0, max: 100 * YEAR_MS }),
    }),
    { maxLength: 60 },
  );

  test('no more days are counted than hours were run, nor than dates were seen, however the clock jumps (law)', () => {
    fc.assert(
      fc.property(aClock, (looks) => {
        let ledger = DayLedger.parse({});
        for (const look of looks) ledger = countRun(ledger, look);
        const hours = looks.reduce((total, { ranMs }) => total + ranMs, 0) / DAY_NEEDS_MS;
        const dates = new Set(looks.map(({ nowMs }) => Math.floor(nowMs / (24 * 3600_000)))).size;
        expect(ledger.day).toBeLessThanOrEqual(hours);
        expect(ledger.day).toBeLessThanOrEqual(Math.max(0, dates - 1));
      }),
    );
  });

  test('a terminal ages by counted days alone, whatever times its files bear (law)', () => {
    const times = fc.array(fc.integer({ min: 0, max: 100 * YEAR_MS }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(aClock, times, (looks, stamps) => {
        const entries = stamps.map((lastUsedMs, at) => entry(`t${at}`, { lastUsedMs }));
        let ledger = noteUse(DayLedger.parse({}), entries);
        for (const look of looks) ledger = noteUse(countRun(ledger, look), entries);
        for (const one of entries) expect(unusedDays(ledger, one)).toBe(ledger.day);
        const touched = noteUse(ledger, [entry('t0', { lastUsedMs: -1 })]);
        expect(unusedDays(touched, { id: 't0', lastUsedMs: -1 })).toBe(0);
      }),
    );
  });

  test('a date counts when the core has run for an hour on it', () => {
    const at = (day: number, ranHours: number) => ({ nowMs: Date.UTC(2026, 0, day), ranMs: ranHours * DAY_NEEDS_MS });
    const looks = [at(1, 0), at(1, 5), at(2, 0.1), at(2, 0.5), at(2, 9), at(1, 2), at(3, 0.5), at(3, 0.5)];
    let ledger = DayLedger.parse({});
    const days = looks.map((look) => {
      ledger = countRun(ledger, look);
      return ledger.day;
    });
    expect(days).toEqual([0, 0, 1, 1, 1, 1, 2, 2]);
  });
});

function record(data: string, id: string, blocks: readonly unknown[] = [ended(1)]): SessionFolder {
  const folder = new SessionFolder(data, id);
  folder.create();
  writeFileSync(folder.blocksJsonl, jsonLines(blocks));
  writeFileSync(folder.out('b1'), 'x'.repeat(100_000));
  for (const path of [folder.blocksJsonl, folder.out('b1')]) utimesSync(path, 1, 1_000);
  return folder;
}

/** Every file below `folder` with its mode, time, inode and bytes. */
function contents(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { mode, mtimeMs, ino } = statSync(join(folder, name));
      const isFile = statSync(join(folder, name)).isFile();
      return [name, mode, mtimeMs, ino, isFile ? readFileSync(join(folder, name), 'base64') : null];
    });
}

describe('surveyRecord, prune and the trash', () => {
  test('sees sizes and the latest bookmarks, moves what was planned to a private trash, and deletes nothing', async () => {
    const data = newData();
    const old = record(data, 'old', [begun(1), ended(1, { bookmarked: true }), ended(1)]);
    const kept = record(data, 'kept', [begun(1), ended(1), ended(1, { bookmarked: true })]);
    record(data, 'open', []);
    mkdirSync(join(data, 'terminals/.removing-half/blocks'), { recursive: true });
    const entries = await surveyRecord(data, new Set(['open']));
    expect(entries.map(({ id, isOpen, isKept }) => [id, isOpen, isKept]).sort()).toEqual([
      ['kept', false, true],
      ['old', false, false],
      ['open', true, false],
    ]);
    expect(entries.every(({ bytes }) => bytes >= 100_000 && bytes < 200_000)).toBe(true);
    const { removals } = planRetention(
      entries,
      { maxUnusedDays: 5, maxBytes: 10 ** 9 },
      { unusedDays: () => 6, isAsked: false },
    );
    const report = await prune(data, { removals, day: 12 });
    expect(report).toEqual({ removed: [expect.objectContaining({ id: 'old', why: 'age' })], failed: [] });
    expect([old, kept].map(({ root: path }) => existsSync(path))).toEqual([false, true]);
    expect(trashItems(data).map(({ id, day }) => [id, day])).toEqual(
      expect.arrayContaining([
        ['half', 12],
        ['old', 12],
      ]),
    );
    expect(statSync(join(data, 'trash')).mode & 0o777).toBe(0o700);
    expect((await prune(data, { removals, day: 12 })).failed).toEqual([
      { id: 'old', reason: expect.stringContaining('ENOENT') },
    ]);
  });

  test('restore after prune is the identity: names, modes, times and bytes (law)', async () => {
    const name = fc.stringMatching(/^[a-z0-9.]{1,12}$/).filter((one) => !/^\.+$/.test(one));
    const aStore = fc.dictionary(
      fc.stringMatching(/^t[A-Za-z0-9_-]{0,20}$/),
      fc.dictionary(name, fc.uint8Array({ maxLength: 300 }), { maxKeys: 5 }),
      { minKeys: 1, maxKeys: 5 },
    );
    await fc.assert(
      fc.asyncProperty(aStore, fc.nat(1_000), async (store, day) => {
        const data = newData();
        for (const [id, files] of Object.entries(store)) {
          const folder = record(data, id);
          for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder.root, file), bytes);
        }
        const before = contents(join(data, 'terminals'));
        const removals = Object.keys(store).map((id) => ({ id, bytes: 0, why: 'age' as const }));
        expect((await prune(data, { removals, day })).failed).toEqual([]);
        expect(SessionFolder.list(data)).toEqual([]);
        const { restored, failed } = await restoreFromTrash(data, () => true);
        expect([restored.sort(), failed]).toEqual([Object.keys(store).sort(), []]);
        expect(contents(join(data, 'terminals'))).toEqual(before);
        expect(trashItems(data)).toEqual([]);
      }),
      fuzzRuns(25),
    );
  });

  test('never overwrites a terminal of the record by restoring one', async () => {
    const data = newData();
    const { root: folder } = record(data, 'twice');
    await prune(data, { removals: [{ id: 'twice', bytes: 0, why: 'age' }], day: 1 });
    cpSync(join(data, 'trash/twice@1'), folder, { recursive: true });
    const report = await restoreFromTrash(data, () => true);
    expect(report).toEqual({ restored: [], failed: [{ id: 'twice', reason: expect.stringContaining('already') }] });
    expect(trashItems(data)).toHaveLength(1);
  });

  test('deletes only the wanted terminals and finishes an interrupted deletion', async () => {
    const data = newData();
    for (const [at, id] of ['a', 'b'].entries()) {
      record(data, id);
      await prune(data, { removals: [{ id, bytes: 0, why: 'age' }], day: at });
    }
    mkdirSync(join(data, 'trash/.removing-c@1'));
    expect(trashItems(data).map(({ id }) => id)).toEqual(['b', 'a']);
    expect(await emptyTrash(data, ({ day }) => day < 1)).toEqual({ emptied: ['a'], failed: [] });
    expect(readdirSync(join(data, 'trash'))).toEqual(['b@1']);
  });
});
