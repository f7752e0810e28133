import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutputTimes } from '../../../src-main/store/record/OutputTimes.ts';
import { cutLateTimes, readTimes, type TimeAt } from '../../../src-main/store/record/readTimes.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { FakeClock } from '../FakeClock.ts';
import { FaultyDisk } from '../FaultyDisk.ts';
import { suiteFolder } from '../suiteFolder.ts';

const home = suiteFolder('times');
let files = 0;
const newPath = (): string => join(home, `times-${++files}`);

async function read(path: string, from = 0): Promise<TimeAt[]> {
  const found: TimeAt[] = [];
  for await (const time of readTimes(path, from)) found.push(time);
  return found;
}

describe('output.times', () => {
  test('holds the start of what came, at most fifty lines a second', async () => {
    const path = newPath();
    const clock = new FakeClock();
    const times = OutputTimes.open(path, { log: silentLog, clock });
    const startMs = clock.nowMs();
    for (let n = 0; n < 2000; n++) {
      times.note(n * 10, clock.nowMs());
      clock.advance(1);
    }
    await times.close();
    const lines = await read(path);
    expect(lines).toHaveLength(100);
    expect(lines.slice(0, 2)).toEqual([
      { offset: 0, atMs: startMs },
      { offset: 200, atMs: startMs + 20 },
    ]);
  });

  test('is on disk a quarter of a second later without being asked', () => {
    const path = newPath();
    const clock = new FakeClock();
    const times = OutputTimes.open(path, { log: silentLog, clock });
    times.note(0, clock.nowMs());
    expect(statSync(path).size).toBe(0);
    clock.advance(250);
    expect(readFileSync(path, 'utf8')).toBe(`0 ${clock.nowMs() - 250}\n`);
    void times.close();
  });

  test('a full disk costs times and no byte of order: what cannot be read is passed over', async () => {
    const disk = new FaultyDisk();
    const clock = new FakeClock();
    const faults: (string | null)[] = [];
    const onFault = (fault: { reason: string } | null): void => void faults.push(fault?.reason ?? null);
    const times = OutputTimes.open('/memory', { log: silentLog, clock, disk, onFault });
    disk.capacity = 30;
    for (let n = 0; n < 10; n++) {
      times.note(n, clock.nowMs());
      clock.advance(300);
    }
    disk.capacity = Number.POSITIVE_INFINITY;
    clock.advance(10_000);
    times.note(10, clock.nowMs());
    await times.close();
    expect(faults).toEqual([expect.stringContaining('disk is full'), null]);
    const path = newPath();
    writeFileSync(path, disk.content);
    expect((await read(path)).map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('holes, damage, a torn end and offsets that go back are passed over', async () => {
    const path = newPath();
    writeFileSync(path, `0 1000\n\0\0\0\0\0 1100\n10 1200\nrubbish\n5 1300\n20 1400\n30 14`);
    expect(await read(path)).toEqual([
      { offset: 0, atMs: 1000 },
      { offset: 10, atMs: 1200 },
      { offset: 20, atMs: 1400 },
    ]);
  });

  test('a clock that is set back does not turn time round', async () => {
    const path = newPath();
    writeFileSync(path, '0 5000\n10 6000\n20 1000\n30 1500\n');
    expect((await read(path)).map(({ atMs }) => atMs)).toEqual([5000, 6000, 6000, 6500]);
  });

  test('reading from any offset gives what reading all gives from there on', async () => {
    const path = newPath();
    const all = Array.from({ length: 20_000 }, (_, n) => ({ offset: n * 7, atMs: 1_700_000_000_000 + n * 20 }));
    writeFileSync(path, all.map(({ offset, atMs }) => `${offset} ${atMs}\n`).join(''));
    await fc.assert(
      fc.asyncProperty(fc.nat(150_000), async (from) => {
        const first = Math.max(
          0,
          all.findLastIndex(({ offset }) => offset <= from),
        );
        expect((await read(path, from)).slice(0, 3)).toEqual(all.slice(first, first + 3));
      }),
      fuzzRuns(30),
    );
  });

  test('times of bytes that a crash took are cut, and others are not', async () => {
    const path = newPath();
    writeFileSync(path, '0 1\n10 2\n20 3\n30 4\n');
    expect(await cutLateTimes(path, 20)).toBe(10);
    appendFileSync(path, '20 9\n');
    expect(await cutLateTimes(path, 21)).toBe(0);
    expect((await read(path)).map(({ offset }) => offset)).toEqual([0, 10, 20]);
    expect(await cutLateTimes(join(home, 'none'), 5)).toBe(0);
    expect(await read(join(home, 'none'))).toEqual([]);
  });
});
