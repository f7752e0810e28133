import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Settings } from '../../src-main/contract/settings.ts';
import { Housekeeping } from '../../src-main/session/Housekeeping.ts';
import { Notices } from '../../src-main/session/Notices.ts';
import { restedPath } from '../../src-main/store/openRecordFile.ts';
import { markExported } from '../../src-main/store/retention.ts';
import { SessionFolder } from '../../src-main/store/SessionFolder.ts';
import { markWriter } from '../../src-main/store/writerMark.ts';
import { begun, ended, jsonLines } from '../store/records.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { FakeClock } from '../support/FakeClock.ts';

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
  keeping = new Housekeeping({
    dataFolder: data,
    clock,
    notices,
    log: (event, fields) => logged.push(`${event} ${fields?.terminalId ?? fields?.reason ?? ''}`),
    limits: () => settings,
    openIds: () => open,
    outputBytes: () => outputBytes,
  });
});
afterEach(() => keeping.stop());

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

/** Lets what waits for the disk go on, and moves the clock where something rests, until `isMet`. */
async function until(isMet: () => boolean): Promise<void> {
  for (let turn = 0; !isMet(); turn += 1) {
    if (turn > 20_000) throw new Error(`not met; logged: ${logged.join(', ')}`);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(20);
  }
}

describe('limits of the record', () => {
  test('after the start what is beyond them goes, and the window and the log say what; the rest stays', async () => {
    const old = record('old', 31);
    const stays = [record('young', 29), record('marked', 99, { bookmarked: true }), record('tab', 99)];
    const exported = record('exported', 99);
    await markExported(exported);
    utimesSync(exported.exportedMark, 1, 1);
    open.add('tab');
    const recording = record('recording', 99);
    const mark = markWriter(recording);
    keeping.start();
    expect(logged).toEqual([]);
    clock.advance(30_000);
    await until(() => notices.current.length > 0);
    expect([old, ...stays, exported, recording].map((folder) => existsSync(folder.root))).toEqual([
      false,
      ...Array(5).fill(true),
    ]);
    expect(logged).toContain('terminal_removed old');
    expect(notices.current).toEqual([
      expect.objectContaining({
        level: 'info',
        text: expect.stringMatching(
          /^1 closed terminal was removed from the record, as it is kept within its limits \(0\.2 MB\): name of old\.$/,
        ),
      }),
    ]);
    mark.dispose();
  });

  test('it looks again each day, by the time of day', async () => {
    record('t1', 29);
    keeping.start();
    clock.advance(30_000);
    const firstMs = clock.nowMs();
    await until(() => logged.includes('terminal_compressed t1'));
    for (let hour = 0; !logged.includes('terminal_removed t1'); hour += 1) {
      expect(hour).toBeLessThan(100);
      clock.advance(HOUR_MS);
      await keeping.leave('none'); // a removal that has begun is over
    }
    const daysLater = (clock.nowMs() - firstMs) / DAY_MS;
    expect([daysLater > 1, daysLater < 2.2, logged]).toEqual([
      true,
      true,
      ['terminal_compressed t1', 'terminal_removed t1'],
    ]);
  });

  test('0 is no limit', async () => {
    settings = Settings.parse({ 'retention.days': 0, 'retention.bytes': 0 });
    const folder = record('ancient', 30_000);
    expect((await keeping.tidy()).removed).toEqual([]);
    expect(existsSync(folder.root)).toBe(true);
  });

  test('the longest unused goes when all is too much', async () => {
    settings = Settings.parse({ 'retention.bytes': 500_000 });
    for (const [at, id] of ['a', 'b', 'c'].entries()) record(id, at + 1);
    expect(await keeping.tidy()).toMatchObject({
      removed: [{ id: 'c', why: 'size' }],
      failed: [],
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
      outputBytes += 1_000_000; // so that it stands still in the middle of the first
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
