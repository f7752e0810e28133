import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordGap } from '../../../src-main/contract/notice.ts';
import { AppendFile } from '../../../src-main/store/files/AppendFile.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { FakeClock } from '../FakeClock.ts';
import { type Fault, FaultyDisk } from '../FaultyDisk.ts';

const KIB = 1024;

function start(prepare: (disk: FaultyDisk) => void = () => undefined) {
  const disk = new FaultyDisk();
  prepare(disk);
  const clock = new FakeClock();
  const faults: (string | null)[] = [];
  const gaps: RecordGap[] = [];
  const log = silentLog;
  const file = AppendFile.open('/r/output.raw', {
    log,
    clock,
    disk,
    onFault: (fault) => faults.push(fault?.reason ?? null),
  });
  file.onGap((gap) => gaps.push(gap));
  return { disk, clock, faults, gaps, file };
}

/** `length` bytes that identify their offset in the stream; never 0, so that a hole differs from them. */
function stream(from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) bytes[at] = 1 + ((from + at) % 251);
  return bytes;
}

/** The bytes that must be on disk: each accepted byte at its offset, zeros in reported gaps. */
function expected(length: number, gaps: readonly RecordGap[]): Buffer {
  const bytes = stream(0, length);
  for (const { fromOffset, toOffset } of gaps) bytes.fill(0, fromOffset, toOffset);
  return bytes;
}

describe('AppendFile', () => {
  test('has handed every byte to the system when append returns', () => {
    const { disk, file } = start();
    let accepted = 0;
    for (const length of [1, 100, 40 * KIB, 200 * KIB, 1]) {
      file.append(stream(accepted, length));
      accepted += length;
      expect([file.size, disk.content.equals(stream(0, accepted))]).toEqual([accepted, true]);
    }
  });

  test('keeps a copy of what the disk refuses: the caller may use its buffer again', () => {
    const { disk, clock, file } = start((before) => {
      before.onWrite = (index) => (index === 1 ? 'EIO' : null);
    });
    const buffer = stream(0, 10);
    file.append(buffer);
    buffer.fill(0);
    clock.advance(100);
    expect(disk.content.equals(stream(0, 10))).toBe(true);
  });

  test('goes on behind what another process could not write, which is a hole and a gap', () => {
    const disk = new FaultyDisk();
    disk.content = stream(0, 100);
    const clock = new FakeClock();
    const short = { startOffset: 104, mayBeShort: true };
    const file = AppendFile.open('/r/output.raw', { log: silentLog, clock, disk, ...short });
    const gaps: RecordGap[] = [];
    file.onGap((gap) => gaps.push(gap));
    expect([file.size, file.fault?.fromOffset]).toEqual([104, 100]);
    file.append(stream(104, 20));
    clock.advance(100);
    expect(gaps).toMatchObject([{ fromOffset: 100, toOffset: 104 }]);
    expect([file.size, file.fault, disk.content.equals(expected(124, gaps))]).toEqual([124, null, true]);
  });

  test('goes on at the end of what is there', () => {
    const { disk, file } = start((before) => {
      before.content = stream(0, 500);
    });
    expect(file.size).toBe(500);
    file.append(stream(500, 20));
    expect(disk.content.equals(stream(0, 520))).toBe(true);
  });

  test.each(['short', 'ENOSPC', 'EIO', 'EROFS', 'EFBIG'] as const)(
    'loses nothing when any one of 200 writes meets %s',
    (fault) => {
      for (let index = 1; index <= 200; index += 1) {
        const { disk, clock, faults, gaps, file } = start((before) => {
          before.onWrite = (write) => (write === index ? fault : null);
        });
        for (let at = 0; at < 210; at += 1) {
          file.append(stream(at * 50, 50));
          clock.advance(50);
        }
        clock.advance(5_000);
        expect(disk.content.equals(stream(0, 210 * 50)), `fault at write ${index}`).toBe(true);
        expect([gaps.length, faults.length, faults.at(-1) ?? null]).toEqual([0, fault === 'short' ? 0 : 2, null]);
      }
    },
  );

  test('holds every accepted byte at its offset, less the gaps it told, whatever the disk does (law)', () => {
    const step = fc.record({
      length: fc.oneof(fc.nat(200), fc.nat(200 * KIB)),
      waitMs: fc.constantFrom(0, 10, 60, 1_000, 6_000),
    });
    const plan = fc.array(fc.constantFrom<Fault | null>(null, null, null, 'short', 'ENOSPC', 'EIO'), { maxLength: 60 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), plan, (steps, outcome) => {
        const { disk, clock, gaps, faults, file } = start((before) => {
          before.onWrite = (index) => outcome[index - 1] ?? null;
        });
        let accepted = 0;
        for (const { length, waitMs } of steps) {
          file.append(stream(accepted, length));
          accepted += length;
          expect(file.size).toBe(accepted);
          clock.advance(waitMs);
        }
        clock.advance(60 * 5_000);
        expect(disk.content.equals(expected(accepted, gaps))).toBe(true);
        expect(faults.at(-1) ?? null).toBeNull();
        expect(clock.waiting).toBe(0);
      }),
      fuzzRuns(200),
    );
  });

  test('a full disk: one warning, the newest MiB kept, the rest a hole, every later offset exact', () => {
    const { disk, clock, gaps, faults, file } = start((before) => {
      before.capacity = 100 * KIB;
    });
    for (let at = 0; at < 40; at += 1) file.append(stream(at * 100 * KIB, 100 * KIB));
    const accepted = 4_000 * KIB;
    clock.advance(60_000);
    expect(faults).toEqual(['the disk is full (ENOSPC)']);
    expect(file.fault).toEqual({ reason: 'the disk is full (ENOSPC)', fromOffset: 100 * KIB });
    disk.capacity = Number.POSITIVE_INFINITY;
    clock.advance(5_000);
    file.append(stream(accepted, 10));
    expect(faults).toEqual(['the disk is full (ENOSPC)', null]);
    const [fromOffset, toOffset] = [100 * KIB, accepted - KIB * KIB];
    expect(gaps).toEqual([
      { type: 'gap', fromOffset, toOffset, reason: 'the disk is full (ENOSPC)', atMs: gaps[0]?.atMs },
    ]);
    expect(disk.content.equals(expected(accepted + 10, gaps))).toBe(true);
  });

  test('tries again after 100 ms, then ever later up to 5 s: it never spins', () => {
    const { disk, clock, file } = start((before) => {
      before.onWrite = () => 'EIO';
    });
    file.append(stream(0, 10));
    const triesAt: number[] = [];
    const beganMs = clock.nowMs();
    disk.onWrite = () => {
      triesAt.push(clock.nowMs() - beganMs);
      return 'EIO';
    };
    clock.advance(20_000);
    expect(triesAt).toEqual([100, 300, 700, 1_500, 3_100, 6_300, 11_300, 16_300]);
  });

  test('a file that cannot be opened is a fault from the start, and is written once it can', () => {
    let code: string | null = 'EACCES';
    const { disk, clock, faults, gaps, file } = start((before) => {
      before.onOpen = () => code;
    });
    file.append(stream(0, 300));
    clock.advance(1_000);
    expect([faults, file.size]).toEqual([['writing to the record is not permitted (EACCES)'], 300]);
    code = null;
    clock.advance(5_000);
    expect([faults.at(-1), gaps, disk.content.equals(stream(0, 300))]).toEqual([null, [], true]);
  });

  test('never writes over an older record that it could not see at the start', () => {
    let code: string | null = 'EMFILE';
    const { disk, clock, faults, file } = start((before) => {
      before.content = stream(0, 5_000);
      before.onOpen = () => code;
    });
    file.append(Buffer.alloc(100, 255));
    code = null;
    clock.advance(60_000);
    expect(faults.at(-1)).toContain('EEXIST');
    expect(disk.content.equals(stream(0, 5_000))).toBe(true);
  });

  test('a file that was deleted while it is written is a fault; its successor has the old part as a gap', () => {
    const { disk, clock, gaps, faults, file } = start();
    file.append(stream(0, 1_000));
    let code: string | null = 'ENOENT';
    disk.onOpen = () => code;
    disk.isDeleted = true;
    clock.advance(1_000);
    file.append(stream(1_000, 500));
    clock.advance(50);
    clock.advance(5_000);
    expect(faults).toEqual(['the folder of the record is gone (ENOENT)']);
    code = null;
    clock.advance(5_000);
    expect([faults.at(-1), gaps.map(({ fromOffset, toOffset }) => [fromOffset, toOffset])]).toEqual([
      null,
      [[0, 1_000]],
    ]);
    expect(disk.content.equals(expected(1_500, gaps))).toBe(true);
  });

  test('after a failed fdatasync the bytes are written again before the next one, and the fault lasts until that', async () => {
    const { disk, faults, file } = start();
    file.append(stream(0, 1_000));
    await file.sync();
    disk.onSync = () => 'EIO';
    file.append(stream(1_000, 200 * KIB));
    const writesBefore = disk.writes;
    await file.sync();
    expect(disk.writes).toBeGreaterThan(writesBefore);
    expect(faults).toEqual(['the disk reports an input/output error (EIO) while syncing']);
    expect(disk.durable.length).toBe(1_000);
    disk.onSync = () => null;
    await file.sync();
    expect([faults.at(-1), disk.durable.equals(stream(0, 1_000 + 200 * KIB))]).toEqual([null, true]);
  });

  test('sync does nothing when nothing was written since', async () => {
    const { disk, file } = start();
    file.append(stream(0, 10));
    await file.sync();
    await file.sync();
    expect(disk.syncs).toBe(1);
  });

  test('close waits for a sync under way before it gives the descriptor back', async () => {
    const { disk, clock, file } = start();
    file.append(stream(0, 10));
    const syncing = file.sync();
    file.append(stream(10, 10));
    const closing = file.close();
    expect(disk.openFds.size).toBe(1);
    await Promise.all([syncing, closing]);
    expect([disk.openFds.size, clock.waiting, disk.content.equals(stream(0, 20))]).toEqual([0, 0, true]);
    file.append(stream(20, 10));
    expect(disk.content.length).toBe(20);
  });

  test('close tells what the disk never took as a gap', async () => {
    const { clock, gaps, file } = start((before) => {
      before.capacity = 5;
    });
    file.append(stream(0, 100));
    await file.close();
    expect([gaps.map(({ fromOffset, toOffset }) => [fromOffset, toOffset]), clock.waiting]).toEqual([[[5, 100]], 0]);
  });
});
