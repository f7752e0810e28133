import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { compressFile, decompressFile, MIN_BYTES } from '../../../src-main/store/archive/compressFile.ts';
import { CompressedFile } from '../../../src-main/store/files/CompressedFile.ts';
import { openRecordFile, recordFileSize, restedPath } from '../../../src-main/store/files/openRecordFile.ts';
import { findProgram } from '../../machines/rig/findProgram.ts';
import { suiteFolder } from '../suiteFolder.ts';
import { FaultyRestDisk } from './FaultyRestDisk.ts';

const data = suiteFolder('at-rest');
let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(data, 'one-'));
  path = join(folder, 'output.raw');
});

/** Bytes that identify their offset, half of them hard to compress. */
function content(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = (at >> 12) % 2 === 0 ? state >>> 24 : at >> 8;
  }
  return bytes;
}

const whole = content(2_500_000);

async function readAll(from: string): Promise<Buffer> {
  const source = await openRecordFile(from);
  if (!source) return Buffer.alloc(0);
  try {
    return await source.read(0, await source.size());
  } finally {
    await source.close();
  }
}

const names = (): string[] => readdirSync(folder).sort();

describe('compressing a file', () => {
  test('the plain file gives way to the compressed one, with the same content, times and a private mode', async () => {
    writeFileSync(path, whole, { mode: 0o600 });
    utimesSync(path, 1_000, 2_000);
    const verdict = await compressFile(path, {});
    const { size, mode, mtimeMs } = statSync(restedPath(path));
    expect(verdict).toEqual({ ok: true, bytesBefore: whole.length, bytesAfter: size });
    expect([names(), mode & 0o777, mtimeMs, size < whole.length]).toEqual([['output.raw.zst'], 0o600, 2_000_000, true]);
    expect((await readAll(path)).equals(whole)).toBe(true);
    expect(await recordFileSize(path)).toBe(whole.length);
  });

  test('any stretch reads as of the plain file, and costs the frames that it touches (law)', async () => {
    writeFileSync(path, whole);
    await compressFile(path, {});
    const source = await CompressedFile.open(restedPath(path));
    if (!source) throw new Error('not compressed');
    expect(source.frames.map(({ contentBytes }) => contentBytes)).toEqual([1_048_576, 1_048_576, 402_848]);
    const near = (at: number) => fc.integer({ min: Math.max(0, at - 3), max: at + 3 });
    const position = fc.oneof(fc.nat(whole.length + 10), near(0), near(1_048_576), near(2_097_152), near(whole.length));
    await fc.assert(
      fc.asyncProperty(position, fc.oneof(fc.nat(10), fc.nat(1_500_000)), async (at, length) => {
        expect((await source.read(at, length)).equals(whole.subarray(at, at + length))).toBe(true);
      }),
    );
    await source.close();
  });

  test('what is small, or not there, stays as it is', async () => {
    writeFileSync(path, whole.subarray(0, MIN_BYTES - 1));
    expect(await compressFile(path, {})).toEqual({ ok: false, reason: 'small' });
    expect(await compressFile(join(folder, 'none'), {})).toEqual({ ok: false, reason: 'missing' });
    expect(names()).toEqual(['output.raw']);
  });

  test.skipIf(findProgram('zstd') === null)(
    'every zstd reads it: the index is a frame that they pass over',
    async () => {
      writeFileSync(path, whole);
      await compressFile(path, {});
      const zstd = spawnSync('zstd', ['-dc', restedPath(path)], { maxBuffer: 2 ** 30 });
      // Also checks the format where zstd is not installed: after the frames comes one skippable frame with its magic number.
      const file = readFileSync(restedPath(path));
      const table = file.subarray(file.length - (8 + 3 * 8 + 9));
      expect(table.readUInt32LE(0)).toBe(0x184d2a5e);
      if (!zstd.error) expect([zstd.status, zstd.stdout.equals(whole)]).toEqual([0, true]);
    },
  );

  test('a file that is written while it is compressed stays plain, with what was written', async () => {
    writeFileSync(path, whole);
    let turns = 0;
    const pace = async (): Promise<void> => {
      turns += 1;
      if (turns === 4) appendFileSync(path, 'more');
    };
    expect(await compressFile(path, { pace })).toEqual({
      ok: false,
      reason: 'failed',
      text: expect.stringContaining('written meanwhile'),
    });
    expect([names(), (await readAll(path)).length]).toEqual([['output.raw'], whole.length + 4]);
  });

  test('who gives it up finds the file as it was', async () => {
    writeFileSync(path, whole);
    const giveUp = new AbortController();
    const pace = async (): Promise<void> => giveUp.abort();
    await expect(compressFile(path, { pace, signal: giveUp.signal })).rejects.toThrow('abort');
    expect([names(), (await readAll(path)).equals(whole)]).toEqual([['output.raw'], true]);
  });

  test('a compressed file with a byte changed anywhere is refused, never read wrong', async () => {
    writeFileSync(path, whole.subarray(0, 100_000));
    await compressFile(path, {});
    const good = readFileSync(restedPath(path));
    for (let at = 0; at < good.length; at += 997) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 0x10;
      writeFileSync(restedPath(path), bad);
      const read = await readAll(path).catch((error: Error) => error.message);
      if (read instanceof Buffer) expect(read.equals(whole.subarray(0, 100_000)), `byte ${at}`).toBe(true);
      else expect(read, `byte ${at}`).toContain('is damaged');
    }
    truncateSync(restedPath(path), 50);
    await expect(readAll(path)).rejects.toThrow('its index cannot be read');
  });
});

describe('making it plain again', () => {
  test('the same bytes and times are back, and the compressed file is gone', async () => {
    writeFileSync(path, whole, { mode: 0o600 });
    utimesSync(path, 1_000, 2_000);
    await compressFile(path, {});
    await decompressFile(path);
    const { mode, mtimeMs } = statSync(path);
    expect([names(), mode & 0o777, mtimeMs]).toEqual([['output.raw'], 0o600, 2_000_000]);
    expect(readFileSync(path).equals(whole)).toBe(true);
    await decompressFile(path);
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  test('a plain file beside a compressed one is what holds: the other is older and goes', async () => {
    writeFileSync(path, whole);
    await compressFile(path, {});
    writeFileSync(path, 'newer');
    expect((await readAll(path)).toString()).toBe('newer');
    await decompressFile(path);
    expect([names(), readFileSync(path, 'utf8')]).toEqual([['output.raw'], 'newer']);
  });

  test('a damaged compressed file is told and kept, and nothing stands in its place', async () => {
    writeFileSync(path, whole);
    await compressFile(path, {});
    truncateSync(restedPath(path), 1000);
    await expect(decompressFile(path)).rejects.toThrow('its index cannot be read');
    expect(names()).toEqual(['output.raw.zst']);
  });
});

describe('a disk that refuses any one call', () => {
  test.each(['ENOSPC', 'EIO'])('%s loses nothing, leaves no litter, and the next try goes through', async (code) => {
    let steps = 0;
    for (let failAt = 1; ; failAt += 1) {
      const disk = new FaultyRestDisk(failAt, code);
      if (!existsSync(path)) writeFileSync(path, whole);
      const verdict = await compressFile(path, { disk });
      expect((await readAll(path)).equals(whole), `call ${failAt}`).toBe(true);
      expect(names().filter((name) => name.endsWith('.tmp'))).toEqual([]);
      if (disk.calls < failAt) break; // every call has been refused once
      steps = failAt;
      expect(verdict).toEqual({ ok: false, reason: 'failed', text: expect.stringContaining(code) });
      expect(names()[0]).toBe('output.raw');
      expect(await compressFile(path, {})).toEqual(expect.objectContaining({ ok: true }));
      expect(names()).toEqual(['output.raw.zst']);
      writeFileSync(path, whole);
    }
    expect(steps).toBe(8); // three frames, index, sync, rename, sync of the folder, removal
  });

  test('a full disk while it is made plain again loses nothing', async () => {
    writeFileSync(path, whole);
    await compressFile(path, {});
    let failures = 0;
    for (let failAt = 1; failures === failAt - 1; failAt += 1) {
      const disk = new FaultyRestDisk(failAt);
      const error = await decompressFile(path, { disk }).catch((thrown: Error) => thrown);
      expect((await readAll(path)).equals(whole), `call ${failAt}`).toBe(true);
      expect(names().filter((name) => name.endsWith('.tmp'))).toEqual([]);
      if (error) failures += 1;
      await compressFile(path, {});
    }
    expect([failures, (await readAll(path)).equals(whole)]).toEqual([7, true]);
  });
});
