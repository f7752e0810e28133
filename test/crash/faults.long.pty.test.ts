import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RecordGap } from '../../src-main/contract/notice.ts';
import { AppendFile } from '../../src-main/store/files/AppendFile.ts';
import { JsonLines } from '../../src-main/store/files/JsonLines.ts';
import { readJsonLines } from '../../src-main/store/files/readJsonLines.ts';
import { replaceFile } from '../../src-main/store/files/replaceFile.ts';
import { acquireLock, readLock } from '../../src-main/store/instance/lockFile.ts';
import { recoverTerminal } from '../../src-main/store/record/recover.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { begun } from '../store/records.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { streamBytes } from './streamBytes.ts';

const data = suiteFolder('faults');
const WRITER = join(import.meta.dirname, 'faultWriter.ts');

const Gap = z.object({
  type: z.literal('gap'),
  fromOffset: z.number(),
  toOffset: z.number(),
  reason: z.string(),
  atMs: z.number(),
});
const faults = z.array(z.string().nullable());
const Report = z.object({
  rawFaults: faults,
  lineFaults: faults,
  gaps: z.array(Gap),
  size: z.number(),
  written: z.array(z.boolean()),
  longestStallMs: z.number(),
});

/** The bytes that must be on disk: each accepted byte at its offset, zeros in reported gaps. */
function expected(length: number, gaps: readonly RecordGap[]): Buffer {
  const bytes = streamBytes(0, length);
  for (const { fromOffset, toOffset } of gaps) bytes.fill(0, fromOffset, toOffset);
  return bytes;
}

function newFolder(name: string): string {
  const folder = join(data, name);
  mkdirSync(folder);
  return folder;
}

async function linesIn(folder: string): Promise<number[]> {
  const read = await readJsonLines(join(folder, 'blocks.jsonl'), (json) => z.object({ n: z.number() }).parse(json).n);
  expect([read.badLines, read.tornTail]).toEqual([0, null]);
  return read.records;
}

const cannotMount = spawnSync('sh', [
  '-c',
  'd=$(mktemp -d) && mount -t tmpfs -o size=64k none "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s',
]);
const cannotTrace = spawnSync('strace', ['-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true']);

/** Mounts a tmpfs of `size` for one test. */
function mounted(name: string, size: string): { folder: string; [Symbol.dispose](): void } {
  const folder = newFolder(name);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder]);
  return { folder, [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder]) };
}

describe('a real file system', () => {
  test('256 KiB fill up: one warning, no throw, and after space is made every offset is exact and every record whole', async (ctx) => {
    ctx.skip(cannotMount.status !== 0, `no file system can be mounted here: ${cannotMount.stderr}`);
    using disk = mounted('small', '256k');
    const ballast = join(disk.folder, 'ballast');
    writeFileSync(ballast, Buffer.alloc(150 * 1024));
    const told: (string | null)[] = [];
    const gaps: RecordGap[] = [];
    const deps = { log: silentLog, clock: systemClock };
    const raw = AppendFile.open(join(disk.folder, 'output.raw'), {
      ...deps,
      onFault: (fault) => told.push(fault?.reason ?? null),
    });
    raw.onGap((gap) => gaps.push(gap));
    const lines = JsonLines.open<{ n: number }>(join(disk.folder, 'blocks.jsonl'), deps);
    const written: Promise<boolean>[] = [];
    for (let n = 0; n < 300; n += 1) {
      raw.append(streamBytes(raw.size, 5_000));
      written.push(lines.append({ n }));
    }
    expect(told).toEqual(['the disk is full (ENOSPC)']);
    await expect(replaceFile(join(disk.folder, 'meta.json'), 'x'.repeat(5_000))).rejects.toThrow('the disk is full');
    const resumed = new Promise((resolve) => raw.onFault((fault) => fault ?? resolve(null)));
    execFileSync('mount', ['-o', 'remount,size=4m', disk.folder]);
    rmSync(ballast);
    await resumed;
    expect(await Promise.all(written)).toEqual(written.map(() => true));
    raw.append(streamBytes(raw.size, 100));
    await Promise.all([raw.sync(), lines.sync()]);
    await Promise.all([raw.close(), lines.close()]);
    expect([told, raw.size, gaps.length]).toEqual([['the disk is full (ENOSPC)', null], 1_500_100, 1]);
    expect(readFileSync(join(disk.folder, 'output.raw')).equals(expected(1_500_100, gaps))).toBe(true);
    expect(await linesIn(disk.folder)).toEqual(written.map((_, n) => n));
  });

  test('a core can be started on a full disk: it holds the lock, and others are told', async (ctx) => {
    ctx.skip(cannotMount.status !== 0, `no file system can be mounted here: ${cannotMount.stderr}`);
    using disk = mounted('full', '64k');
    writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(60 * 1024));
    expect(() => writeFileSync(join(disk.folder, 'more'), Buffer.alloc(60 * 1024))).toThrow('ENOSPC');
    const lock = acquireLock(disk.folder);
    expect(acquireLock(disk.folder)).toEqual({ ok: false, pid: process.pid, startedMs: expect.any(Number), info: {} });
    if (lock.ok) lock.release();
    expect([lock.ok, readLock(disk.folder), readdirSync(disk.folder).sort()]).toEqual([
      true,
      null,
      ['ballast', 'more'],
    ]);
  });

  test('a terminal on a read-only disk is recovered as far as it can be read, and the reasons are noted', async (ctx) => {
    ctx.skip(cannotMount.status !== 0, `no file system can be mounted here: ${cannotMount.stderr}`);
    using disk = mounted('recover', '1m');
    const folder = new SessionFolder(disk.folder, 't1');
    folder.create();
    const torn = `${JSON.stringify(begun(1))}\n{"id":"b2`;
    writeFileSync(folder.blocksJsonl, torn);
    execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
    const { blocks, interrupted, notes } = await recoverTerminal(folder, { nowMs: 1, log: silentLog });
    expect([blocks.map(({ status }) => status), interrupted.length]).toEqual([['interrupted'], 1]);
    expect(notes.filter((note) => note.includes('EROFS')).length).toBe(3);
    expect(readFileSync(folder.blocksJsonl, 'utf8')).toBe(torn);
  });

  test('a read-only disk is a warning at the start, and is written once it can be', async (ctx) => {
    ctx.skip(cannotMount.status !== 0, `no file system can be mounted here: ${cannotMount.stderr}`);
    using disk = mounted('readonly', '1m');
    execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
    const told: (string | null)[] = [];
    const raw = AppendFile.open(join(disk.folder, 'output.raw'), {
      log: silentLog,
      clock: systemClock,
      onFault: (fault) => told.push(fault?.reason ?? null),
    });
    raw.append(streamBytes(0, 100_000));
    const resumed = new Promise((resolve) => raw.onFault((fault) => fault ?? resolve(null)));
    execFileSync('mount', ['-o', 'remount,rw', disk.folder]);
    await resumed;
    await raw.close();
    expect(told).toEqual(['the disk is read-only (EROFS)', null]);
    expect(readFileSync(join(disk.folder, 'output.raw')).equals(streamBytes(0, 100_000))).toBe(true);
  });

  test('a folder that can be made again is made again', async () => {
    const folder = join(data, 'made');
    const told: (string | null)[] = [];
    const deps = { log: silentLog, clock: systemClock, makeFolder: () => void mkdirSync(folder) };
    const raw = AppendFile.open(join(folder, 'output.raw'), {
      ...deps,
      onFault: (fault) => told.push(fault?.reason ?? null),
    });
    raw.append(streamBytes(0, 100));
    await raw.close();
    expect([told, readFileSync(join(folder, 'output.raw')).equals(streamBytes(0, 100))]).toEqual([[], true]);
  });

  test('the folder deleted while it is written: suspended with a warning, resumed when it is there again', async () => {
    const folder = newFolder('deleted');
    const told: (string | null)[] = [];
    const gaps: RecordGap[] = [];
    const raw = AppendFile.open(join(folder, 'output.raw'), {
      log: silentLog,
      clock: systemClock,
      onFault: (fault) => told.push(fault?.reason ?? null),
    });
    raw.onGap((gap) => gaps.push(gap));
    raw.append(streamBytes(0, 1_000));
    rmSync(folder, { recursive: true });
    const suspended = new Promise((resolve) => raw.onFault((fault) => fault && resolve(null)));
    const writing = setInterval(() => raw.append(streamBytes(raw.size, 1_000)), 20);
    await suspended;
    clearInterval(writing);
    const resumed = new Promise((resolve) => raw.onFault((fault) => fault ?? resolve(null)));
    mkdirSync(folder);
    await resumed;
    const size = raw.size;
    await raw.close();
    expect(told).toEqual(['the folder of the record is gone (ENOENT)', null]);
    expect(gaps.map(({ fromOffset }) => fromOffset)).toEqual([0]);
    expect(readFileSync(join(folder, 'output.raw')).equals(expected(size, gaps))).toBe(true);
  });
});

function runWriter(folder: string, before: readonly string[], numbers: readonly number[]): z.infer<typeof Report> {
  const [command = '', ...args] = [...before, process.execPath, WRITER, folder, ...numbers.map(String)];
  const run = spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 });
  expect([run.status, run.signal, run.stderr]).toEqual([0, null, '']);
  return Report.parse(JSON.parse(run.stdout));
}

test('a file size limit (EFBIG) is a warning and a gap, not the end of the process', async () => {
  const folder = newFolder('limit');
  const report = runWriter(folder, ['bash', '-c', 'ulimit -f 8; exec "$@"', 'bash'], [20, 1_000, 1]);
  expect(report.rawFaults).toEqual(['the file has reached the size limit of this system or process (EFBIG)']);
  expect(report.gaps.map(({ fromOffset, toOffset }) => [fromOffset, toOffset])).toEqual([[8_192, 20_000]]);
  expect(statSync(join(folder, 'output.raw')).size).toBe(8_192);
  expect(readFileSync(join(folder, 'output.raw')).equals(streamBytes(0, 8_192))).toBe(true);
  expect(await linesIn(folder)).toEqual(report.written.flatMap((isWritten, n) => (isWritten ? [n] : [])));
  expect(report.written.filter(Boolean).length).toBe(8);
});

describe('strace makes a system call fail', () => {
  beforeEach((ctx) => ctx.skip(cannotTrace.status !== 0, 'strace is not here or may not trace'));

  const trace = (folder: string, what: string): string[] => [
    'strace',
    '-f',
    '-o',
    '/dev/null',
    '-P',
    join(folder, 'output.raw'),
    '-P',
    join(folder, 'blocks.jsonl'),
    '-e',
    `inject=${what}`,
  ];

  test.each([
    ['ENOSPC at the first write', 'pwrite64:error=ENOSPC:when=1'],
    ['ENOSPC at every third write', 'pwrite64:error=ENOSPC:when=3+3'],
    ['EIO at ten writes in a row', 'pwrite64:error=EIO:when=4..13'],
    ['EIO at the first two syncs', 'fdatasync:error=EIO:when=1..2'],
    ['EIO at every second sync', 'fdatasync:error=EIO:when=1+2'],
  ])('%s: a warning, and nothing is lost nor torn', async (name, what) => {
    const folder = newFolder(name.replaceAll(' ', '-'));
    const report = runWriter(folder, trace(folder, what), [20, 700, 100]);
    expect([report.size, report.gaps, report.written.every(Boolean)]).toEqual([14_000, [], true]);
    expect(readFileSync(join(folder, 'output.raw')).equals(streamBytes(0, 14_000))).toBe(true);
    expect(await linesIn(folder)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect([...report.rawFaults, ...report.lineFaults].some(Boolean)).toBe(true);
  });

  test('a sync that takes two seconds stalls nothing', () => {
    const folder = newFolder('slow');
    const report = runWriter(folder, trace(folder, 'fdatasync:delay_enter=2000000:when=1'), [20, 700, 20]);
    expect(report.longestStallMs).toBeLessThan(1_500);
    expect(readFileSync(join(folder, 'output.raw')).equals(streamBytes(0, 14_000))).toBe(true);
  });
});
