import { existsSync, statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldDeltas } from '../../../src-main/contract/screen/foldDelta.ts';
import type { WaitQuery } from '../../../src-main/contract/screen/screen.ts';
import { ScreenDelta } from '../../../src-main/contract/screen/screenRecord.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { readLastScreen } from '../../../src-main/terminal/screen/persistedScreen.ts';
import { ScreenReader } from '../../../src-main/terminal/screen/ScreenReader.ts';
import { ScreenRecord, type ScreenRecordDeps } from '../../../src-main/terminal/screen/ScreenRecord.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { FakeClock } from '../../store/FakeClock.ts';
import { FaultyDisk } from '../../store/FaultyDisk.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { deltasOf, shownBy, snapshotOf, toldBy } from '../../support/screenFiles.ts';
import { FakeScreen } from './FakeScreen.ts';

const dataFolder = suiteFolder('screen-record');
let terminals = 0;

function start(deps: Partial<ScreenRecordDeps> = {}) {
  terminals += 1;
  const folder = new SessionFolder(dataFolder, `t${terminals}`);
  folder.create();
  const clock = new FakeClock();
  const screen = new FakeScreen();
  const faults: [string, string | null][] = [];
  const record = new ScreenRecord(
    screen,
    { folder, reportFault: (file, reason) => faults.push([file, reason]) },
    { clock, log: silentLog, ...deps },
  );
  return { folder, clock, screen, faults, record };
}

const deltasIn = ({ content }: FaultyDisk): ScreenDelta[] =>
  content
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => ScreenDelta.parse(JSON.parse(line)));

const screens = fc.array(
  fc.record({
    rows: fc.array(fc.constantFrom('', 'a', 'bb', '$ ls', '世界', '💥 x'), { maxLength: 5 }),
    change: fc.record(
      {
        title: fc.constantFrom('', 'vim'),
        altScreen: fc.boolean(),
        cursor: fc.record({ row: fc.nat(4), col: fc.nat(19), visible: fc.boolean() }),
        scrollbackTotal: fc.nat(9),
      },
      { requiredKeys: [] },
    ),
    waitMs: fc.constantFrom(0, 40, 100, 400),
  }),
  { maxLength: 30 },
);

describe('ScreenRecord', () => {
  test('after a close the deltas, folded, are the snapshot, whatever was shown (law)', async () => {
    await fc.assert(
      fc.asyncProperty(screens, async (steps) => {
        const { folder, clock, screen, record } = start();
        for (const { rows, change, waitMs } of steps) {
          screen.show(rows, change);
          clock.advance(waitMs);
        }
        await record.close();
        expect(toldBy(foldDeltas(deltasOf(folder)))).toEqual(shownBy(snapshotOf(folder)));
        expect(snapshotOf(folder).seq).toBe(screen.frame.seq);
        expect(clock.waiting).toBe(0);
      }),
      fuzzRuns(60),
    );
  });

  test('the same, when the disk is full for a while and nobody knows when (law)', async () => {
    await fc.assert(
      fc.asyncProperty(screens, fc.integer({ min: 50, max: 3_000 }), async (steps, capacity) => {
        const disk = new FaultyDisk();
        disk.capacity = capacity;
        const { folder, clock, screen, faults, record } = start({ disk });
        for (const { rows, change, waitMs } of steps) {
          screen.show(rows, change);
          clock.advance(waitMs);
          await Promise.resolve();
        }
        const wasFaulty = faults.some(([file, reason]) => file === 'screen.jsonl' && reason !== null);
        disk.capacity = Number.POSITIVE_INFINITY;
        clock.advance(10_000);
        await new Promise((resolve) => setImmediate(resolve));
        screen.show(['after']);
        const folded = foldDeltas(deltasIn(disk));
        expect(folded).toMatchObject({ seq: screen.frame.seq, rows: screen.frame.rows.map(({ text }) => ({ text })) });
        expect(faults.filter(([file]) => file === 'screen.jsonl').at(-1)?.[1] ?? null).toBeNull();
        expect(screen.keyframesAsked).toBeLessThanOrEqual(wasFaulty ? 1 : 0);
        await record.close();
        expect(snapshotOf(folder).seq).toBe(screen.frame.seq);
      }),
      fuzzRuns(60),
    );
  });

  test('a screen that hangs does not hold up a close: its deltas are on disk', async () => {
    const { folder, clock, screen, record } = start();
    screen.show(['told before']);
    screen.isHanging = true;
    const closed = record.close();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(2_000);
    await closed;
    expect((await readLastScreen(folder))?.frame.rows[0]?.text).toBe('told before');
  });

  test('a screen that does not change leaves both files alone, however often it is flushed', async () => {
    const { folder, clock, screen, record } = start();
    screen.show(['still']);
    clock.advance(1_000);
    record.flush();
    clock.advance(0);
    const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
    await expect.poll(() => [folder.snapshot, folder.screenJsonl].every((path) => existsSync(path))).toBe(true);
    await settle();
    const before = [statSync(folder.snapshot).ino, statSync(folder.screenJsonl).size];
    for (let n = 0; n < 5; n += 1) {
      record.flush();
      clock.advance(300);
      await settle();
    }
    expect([statSync(folder.snapshot).ino, statSync(folder.screenJsonl).size]).toEqual(before);
    await record.close();
  });
});

describe('ScreenReader without a live screen', () => {
  test('reads, waits, pages and looks back in what was recorded', async () => {
    const { folder, screen, record } = start();
    for (const text of ['one', 'two', 'three']) screen.show([text, 'stays', 'stays too', 'and this', 'and that']);
    await record.close();
    const reader = new ScreenReader(dataFolder);
    const seq = screen.frame.seq;
    expect(await reader.read(folder.id, { since: seq - 1, scrollback: 1 })).toMatchObject({
      source: 'persisted',
      full: false,
      scrollback: [{ text: 'above' }],
      diff: { fromSeq: seq - 1, toSeq: seq, changed: [{ row: 0, line: { text: 'three' } }], added: [], removed: [] },
    });
    expect(await reader.read(folder.id, { since: seq, scrollback: 0 })).toMatchObject({
      full: false,
      diff: { changed: [], added: [], removed: [] },
    });
    expect(await reader.read(folder.id, { since: seq + 1, scrollback: 0 })).toEqual({ error: 'seq-mismatch', seq });
    const query = { conditions: [{ type: 'exit' as const }], mode: 'any' as const, timeoutMs: 60_000, scrollback: 0 };
    expect(await reader.wait(folder.id, query)).toMatchObject({ outcome: 'gone', reading: { seq } });
    expect(await reader.at(folder.id, { atSeq: seq - 2 })).toMatchObject({
      seq: seq - 2,
      frame: { rows: [{ text: 'one' }, {}, {}, {}, {}] },
    });
    const page = await reader.deltas(folder.id, 0, 2);
    const rest = await reader.deltas(folder.id, page.resumeCursor, 200);
    expect([...page.deltas, ...rest.deltas]).toEqual(deltasOf(folder));
  });

  test('a wait on a screen that no longer changes finds its text, but no secret', async () => {
    const { folder, screen, record } = start();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    screen.show(['all tests passed', `token ${token}`]);
    await record.close();
    const reader = new ScreenReader(dataFolder);
    const wait = (condition: WaitQuery['conditions'][number], redacted = false) =>
      reader.wait(folder.id, { conditions: [condition], mode: 'any', timeoutMs: 60_000, scrollback: 0, redacted });
    const match = (pattern: string, scope: 'screen' | 'scrollback' | 'new' = 'screen') => ({
      ...{ type: 'match' as const, pattern, flags: '', scope },
    });
    expect(await wait(match('tests (\\w+)'))).toMatchObject({
      outcome: 'met',
      match: { row: 0, col: 4, groups: ['passed'] },
      reading: { source: 'persisted' },
    });
    expect(await wait(match('passed', 'scrollback'))).toMatchObject({ outcome: 'met' });
    expect(await wait({ type: 'absent', pattern: 'failed', flags: '' })).toMatchObject({ outcome: 'met', met: [0] });
    expect(await wait(match('failed'))).toMatchObject({ outcome: 'gone', match: null });
    expect(await wait(match('passed', 'new'))).toMatchObject({ outcome: 'gone' });
    expect(await wait(match('('))).toMatchObject({ outcome: 'bad-pattern' });
    expect(await wait(match('ghp_a1B2'))).toMatchObject({ outcome: 'met' });
    expect(await wait(match('ghp_a1B2'), true)).toMatchObject({ outcome: 'gone' });
    expect(await wait(match('token \\[redacted\\]'), true)).toMatchObject({ outcome: 'met' });
  });

  test('a screen that is closed under a question is answered for by the files', async () => {
    const { folder, screen, record } = start();
    screen.show(['the last one']);
    await record.close();
    const gone = {
      outcome: 'gone' as const,
      met: [],
      waitedMs: 7,
      match: null,
      isImmediate: false,
      commandLines: 'unknown' as const,
      reason: null,
      exit: null,
      reading: null,
    };
    const closing = {
      read: () => Promise.reject(new Error('The screen was closed')),
      wait: () => Promise.resolve(gone),
    };
    const reader = new ScreenReader(dataFolder, () => closing);
    const last = { source: 'persisted', frame: { rows: [{ text: 'the last one' }, {}, {}, {}, {}] } };
    const query = { conditions: [{ type: 'prompt' as const }], mode: 'any' as const, timeoutMs: 60_000, scrollback: 0 };
    expect(await reader.read(folder.id, { scrollback: 0 })).toMatchObject(last);
    expect(await reader.wait(folder.id, query)).toMatchObject({ outcome: 'gone', waitedMs: 7, reading: last });
    await expect(reader.read('nobody', { scrollback: 0 })).rejects.toThrow('The screen was closed');
  });

  test('a terminal that was never recorded has no screen', async () => {
    const reader = new ScreenReader(dataFolder);
    expect([await reader.read('nobody', { scrollback: 0 }), await reader.at('nobody', { atMs: 1 })]).toEqual([
      null,
      null,
    ]);
  });
});
