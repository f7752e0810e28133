import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planRetention, prune, type RetentionEntry, surveyRecord } from '../../src-main/store/retention.ts';
import { SessionFolder } from '../../src-main/store/SessionFolder.ts';
import { begun, ended, jsonLines } from './records.ts';
import { suiteFolder } from './suiteFolder.ts';

const data = suiteFolder('retention');
const settings = { maxAgeMs: 100, maxBytes: 1_000 };

function entry(id: string, change: Partial<RetentionEntry> = {}): RetentionEntry {
  return { id, bytes: 400, lastUsedMs: 950, isOpen: false, isKept: false, ...change };
}

describe('planRetention', () => {
  test.each<[string, RetentionEntry[], [string, string][]]>([
    ['nothing is old, all fits', [entry('a'), entry('b')], []],
    ['what is old goes', [entry('a', { lastUsedMs: 899 }), entry('b', { lastUsedMs: 900 })], [['a', 'age']]],
    [
      'the longest unused goes until the rest fits',
      [entry('a', { lastUsedMs: 960 }), entry('b', { lastUsedMs: 955 }), entry('c')],
      [['c', 'size']],
    ],
    [
      'what is open or kept stays however old',
      [entry('a', { lastUsedMs: 0, isOpen: true }), entry('b', { lastUsedMs: 0, isKept: true })],
      [],
    ],
    ['what is kept counts', [entry('a', { bytes: 5_000, isKept: true }), entry('b')], [['b', 'size']]],
  ])('%s', (_, entries, removals) => {
    expect(planRetention(entries, settings, 1_000).map(({ id, why }) => [id, why])).toEqual(removals);
  });

  test('removes no more than it must, and never what is open or kept (law)', () => {
    const anyEntry = fc.record({
      bytes: fc.nat(600),
      lastUsedMs: fc.integer({ min: 800, max: 1_000 }),
      isOpen: fc.boolean(),
      isKept: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 12 }), (list) => {
        const entries = list.map((fields, at) => ({ id: `t${at}`, ...fields }));
        const plan = planRetention(entries, settings, 1_000);
        const gone = new Set(plan.map(({ id }) => id));
        const left = entries.filter(({ id }) => !gone.has(id));
        const sum = (some: readonly { bytes: number }[]): number => some.reduce((total, { bytes }) => total + bytes, 0);
        expect(entries.filter(({ isOpen, isKept }) => isOpen || isKept).some(({ id }) => gone.has(id))).toBe(false);
        const free = left.filter(({ isOpen, isKept }) => !isOpen && !isKept);
        expect(free.every(({ lastUsedMs }) => lastUsedMs >= 900)).toBe(true);
        expect(sum(left) <= 1_000 || free.length === 0).toBe(true);
        const last = plan.at(-1);
        if (last?.why === 'size') expect(sum(left) + last.bytes).toBeGreaterThan(1_000);
      }),
    );
  });
});

describe('surveyRecord and prune', () => {
  function record(id: string, blocks: readonly unknown[]): SessionFolder {
    const folder = new SessionFolder(data, id);
    folder.create();
    writeFileSync(folder.blocksJsonl, jsonLines(blocks));
    writeFileSync(folder.out('b1'), 'x'.repeat(100_000));
    for (const path of [folder.blocksJsonl, folder.out('b1')]) utimesSync(path, 1, id === 'fresh' ? 2_000 : 1_000);
    return folder;
  }

  test('sees sizes, times and the latest bookmarks, removes what was planned, and finishes what was left', async () => {
    const old = record('old', [begun(1), ended(1, { bookmarked: true }), ended(1)]);
    const kept = record('kept', [begun(1), ended(1), ended(1, { bookmarked: true })]);
    const open = record('open', []);
    const fresh = record('fresh', [ended(1)]);
    mkdirSync(join(data, 'terminals/.removing-half/blocks'), { recursive: true });
    const entries = await surveyRecord(data, new Set(['open']));
    expect(entries.map(({ id, isOpen, isKept }) => [id, isOpen, isKept]).sort()).toEqual([
      ['fresh', false, false],
      ['kept', false, true],
      ['old', false, false],
      ['open', true, false],
    ]);
    expect(entries.every(({ bytes }) => bytes >= 100_000 && bytes < 200_000)).toBe(true);
    const plan = planRetention(entries, { maxAgeMs: 500_000, maxBytes: 10 ** 9 }, 2_000_000);
    const report = await prune(data, plan);
    expect(report).toEqual({ removed: [expect.objectContaining({ id: 'old', why: 'age' })], failed: [] });
    expect([old, kept, open, fresh].map(({ root }) => existsSync(root))).toEqual([false, true, true, true]);
    expect(existsSync(join(data, 'terminals/.removing-half'))).toBe(false);
    expect((await prune(data, plan)).failed).toEqual([{ id: 'old', reason: expect.stringContaining('ENOENT') }]);
  });
});
