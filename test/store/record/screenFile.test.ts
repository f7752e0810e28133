import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScreenDelta } from '../../../src-main/contract/screen/screenRecord.ts';
import { readDeltas, readDeltasBefore, readDeltasTo } from '../../../src-main/store/record/readScreenFile.ts';
import { ScreenFile, type ScreenFileOptions } from '../../../src-main/store/record/ScreenFile.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { FakeClock } from '../FakeClock.ts';
import { FaultyDisk } from '../FaultyDisk.ts';
import { suiteFolder } from '../suiteFolder.ts';

const folder = suiteFolder('screen-file');
let files = 0;
function newPath(): string {
  files += 1;
  return join(folder, `${files}.jsonl`);
}

function delta(seq: number, change: Partial<ScreenDelta> = {}): ScreenDelta {
  return { seq, epoch: 'e.1', ts: 1_000 + seq * 100, rows: [{ row: 0, text: `line ${seq}` }], ...change };
}
const keyframe = (seq: number, change: Partial<ScreenDelta> = {}): ScreenDelta =>
  delta(seq, { keyframe: true, cols: 80, rows_count: 24, ...change });

function open(path: string, options: Partial<ScreenFileOptions> = {}) {
  const wanted = { count: 0 };
  const faults: (string | null)[] = [];
  const clock = new FakeClock();
  const file = new ScreenFile(path, {
    log: silentLog,
    clock,
    onFault: (fault) => faults.push(fault?.reason ?? null),
    onKeyframeWanted: () => {
      wanted.count += 1;
    },
    ...options,
  });
  return { file, wanted, faults, clock };
}

/** Writes a file of `count` deltas, every `every`th a keyframe; resolves with its path. */
async function written(count: number, every: number): Promise<string> {
  const path = newPath();
  const { file } = open(path);
  for (let seq = 0; seq < count; seq += 1) file.append(seq % every === 0 ? keyframe(seq) : delta(seq));
  await file.close();
  return path;
}

const seqs = (deltas: readonly ScreenDelta[]): number[] => deltas.map(({ seq }) => seq);

describe('ScreenFile', () => {
  test('takes nothing before the first keyframe, and everything from it on', async () => {
    const path = newPath();
    const { file } = open(path);
    expect([file.append(delta(1)), file.append(keyframe(2)), file.append(delta(3))]).toEqual([false, true, true]);
    await file.close();
    expect((await readDeltas(path, 0, 10)).deltas).toEqual([keyframe(2), delta(3)]);
  });

  test.each(['ENOSPC', 'EIO'] as const)(
    'after %s it takes nothing until a keyframe, asks for one when the disk is well, and says both once',
    async (code) => {
      const disk = new FaultyDisk();
      const { file, wanted, faults, clock } = open('/r/screen.jsonl', { disk });
      file.append(keyframe(1));
      disk.onWrite = () => code;
      const taken = [2, 3, 4].map((seq) => file.append(delta(seq)));
      expect([taken, wanted.count]).toEqual([[true, false, false], 0]);
      disk.onWrite = () => null;
      clock.advance(10_000);
      expect(wanted.count).toBe(1);
      expect([file.append(delta(5)), file.append(keyframe(6)), file.append(delta(7))]).toEqual([false, true, true]);
      expect(faults).toEqual([expect.stringContaining(code), null]);
      const lines = disk.content.toString().trimEnd().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as ScreenDelta).seq)).toEqual([1, 2, 6, 7]);
      await file.close();
    },
  );

  test('a file that was deleted is begun anew, with a keyframe', async () => {
    const path = newPath();
    const { file, wanted, clock } = open(path);
    for (let seq = 0; seq < 5; seq += 1) file.append(seq === 0 ? keyframe(0) : delta(seq));
    rmSync(path);
    clock.advance(1_000);
    file.append(delta(5));
    expect([wanted.count, file.append(delta(6)), file.append(keyframe(7))]).toEqual([1, false, true]);
    await file.close();
    expect(seqs(await readDeltasTo(path, 'end'))).toEqual([7]);
  });

  test('above its limit the older half is given up at a keyframe, nothing newer is lost, and cursors keep their meaning', async () => {
    const path = newPath();
    let rolls = 0;
    const { file } = open(path, { maxBytes: 20_000, log: (event) => (rolls += event === 'screen_rolled' ? 1 : 0) });
    const cursorOf = new Map<number, number>();
    let total = 0;
    let count = 0;
    for (; rolls < 3; count += 1) {
      const next = count % 10 === 0 ? keyframe(count) : delta(count);
      cursorOf.set(count, total);
      total += JSON.stringify(next).length + 1;
      file.append(next);
      if (count % 20 === 0) await new Promise((resolve) => setImmediate(resolve)); // lets a roll continue
    }
    await file.close();
    const page = await readDeltas(path, 0, count);
    const first = page.deltas[0];
    expect([page.truncated, page.firstCursor, first?.keyframe]).toEqual([true, cursorOf.get(first?.seq ?? -1), true]);
    expect(seqs(page.deltas)).toEqual(Array.from({ length: page.deltas.length }, (_, at) => (first?.seq ?? 0) + at));
    expect([page.deltas.at(-1)?.seq, page.resumeCursor]).toEqual([count - 1, total]);
    expect(first?.seq).toBeGreaterThan(0);
    const late = await readDeltas(path, cursorOf.get(count - 10) ?? 0, 5);
    expect([seqs(late.deltas), late.truncated]).toEqual([[10, 9, 8, 7, 6].map((n) => count - n), false]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('a roll that finds no keyframe asks for one and loses nothing', async () => {
    const path = newPath();
    const { file, wanted } = open(path, { maxBytes: 4_000 });
    file.append(keyframe(0));
    for (let seq = 1; seq < 100; seq += 1) file.append(delta(seq));
    await file.close();
    expect(wanted.count).toBe(1);
    expect(seqs((await readDeltas(path, 0, 200)).deltas)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  });
});

describe('readDeltas', () => {
  test('pages of any length give every delta once and in order (law)', async () => {
    const path = await written(57, 10);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }), async (limits) => {
        const got: number[] = [];
        let cursor = 0;
        for (let at = 0; got.length < 57; at += 1) {
          const page = await readDeltas(path, cursor, limits[at % limits.length] ?? 1);
          expect([page.cursor, page.truncated]).toEqual([cursor, false]);
          got.push(...seqs(page.deltas));
          cursor = page.resumeCursor;
        }
        expect(got).toEqual(Array.from({ length: 57 }, (_, seq) => seq));
        expect((await readDeltas(path, cursor, 10)).deltas).toEqual([]);
      }),
      fuzzRuns(30),
    );
  });

  test.each([
    ['beyond the end', 1_000_000],
    ['in the middle of a line', 7],
  ])('a cursor %s is told as truncated and read from the oldest', async (_, cursor) => {
    const path = await written(3, 10);
    const page = await readDeltas(path, cursor, 10);
    expect([page.truncated, page.cursor, seqs(page.deltas)]).toEqual([true, 0, [0, 1, 2]]);
  });

  test("'end' gives the cursor of what comes next, also behind a torn line", async () => {
    const path = await written(3, 10);
    const size = statSync(path).size;
    appendFileSync(path, '{"seq":3,"ep');
    const page = await readDeltas(path, 'end', 10);
    expect([page.resumeCursor, page.deltas]).toEqual([size, []]);
  });

  test('a missing file is empty, and any later place in it truncated', async () => {
    const none = join(folder, 'none.jsonl');
    expect([(await readDeltas(none, 0, 5)).truncated, (await readDeltas(none, 9, 5)).truncated]).toEqual([false, true]);
  });
});

describe('readDeltasTo', () => {
  test.each([
    ['end', 'end' as const, [40, 41, 42, 43, 44, 45, 46]],
    ['a seq', { atSeq: 23 }, [20, 21, 22, 23]],
    ['a keyframe itself', { atSeq: 30 }, [30]],
    ['a time between two deltas', { atMs: 1_000 + 11 * 100 + 50 }, [10, 11]],
    ['a time before the first', { atMs: 999 }, []],
    ['a time after the last', { atMs: 1e12 }, [40, 41, 42, 43, 44, 45, 46]],
    ['another epoch', { atSeq: 12, epoch: 'e.9' }, []],
  ])('%s: the keyframe before it and all up to it', async (_, moment, expected) => {
    const path = await written(47, 10);
    expect(seqs(await readDeltasTo(path, moment))).toEqual(expected);
  });

  test('a seq is looked for in the newest run, unless another one is named', async () => {
    const path = newPath();
    for (const epoch of ['a.1', 'b.1']) {
      const { file } = open(path);
      for (let seq = 1; seq < 9; seq += 1) file.append(seq === 1 ? keyframe(1, { epoch }) : delta(seq, { epoch }));
      await file.close();
    }
    const newest = await readDeltasTo(path, { atSeq: 4 });
    const named = await readDeltasTo(path, { atSeq: 3, epoch: 'a.1' });
    expect([newest.map(({ epoch, seq }) => [epoch, seq]), named.map(({ epoch, seq }) => [epoch, seq])]).toEqual([
      [1, 2, 3, 4].map((seq) => ['b.1', seq]),
      [1, 2, 3].map((seq) => ['a.1', seq]),
    ]);
  });

  test('cut at any byte, it gives a whole run of deltas from a keyframe on, or none (law)', async () => {
    const path = await written(12, 5);
    const whole = readFileSync(path);
    const cut = newPath();
    for (let at = 0; at <= whole.length; at += 7) {
      rmSync(cut, { force: true });
      appendFileSync(cut, whole.subarray(0, at));
      const lines = whole.subarray(0, at).toString().split('\n').length - 1;
      const last = lines - 1;
      const from = Math.floor(last / 5) * 5;
      const expected = lines === 0 ? [] : Array.from({ length: last - from + 1 }, (_, n) => from + n);
      expect(seqs(await readDeltasTo(cut, 'end'))).toEqual(expected);
    }
  });

  test('what stands behind a damaged line is used from the next keyframe on only', async () => {
    const path = newPath();
    const text = (deltas: ScreenDelta[]) => deltas.map((one) => `${JSON.stringify(one)}\n`).join('');
    appendFileSync(path, text([keyframe(0), delta(1)]));
    appendFileSync(path, 'damage\n');
    appendFileSync(path, text([delta(3)]));
    expect(seqs(await readDeltasTo(path, 'end'))).toEqual([0, 1]);
    appendFileSync(path, text([keyframe(4), delta(5)]));
    expect(seqs(await readDeltasTo(path, 'end'))).toEqual([4, 5]);
  });
});

describe('readDeltasBefore', () => {
  test.each([
    [0, []],
    [1, [0]],
    [10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [13, [10, 11, 12]],
    [47, [40, 41, 42, 43, 44, 45, 46]],
  ])('what leads to where a page begins after %i deltas', async (count, expected) => {
    const path = await written(47, 10);
    const cursor = count === 0 ? 0 : (await readDeltas(path, 0, count)).resumeCursor;
    expect(seqs(await readDeltasBefore(path, cursor))).toEqual(expected);
  });

  test('nothing where a damaged line lies between', async () => {
    const path = await written(5, 10);
    appendFileSync(path, '{"seq":\n');
    const { resumeCursor } = await readDeltas(path, 0, 200);
    expect(await readDeltasBefore(path, resumeCursor)).toEqual([]);
  });

  test('nothing of a file that is not there', async () => {
    expect(await readDeltasBefore(newPath(), 7)).toEqual([]);
  });
});
