import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { CompressedFile } from '../files/CompressedFile.ts';
import { asDiskError } from '../files/Disk.ts';
import { type RecordSource, restedPath } from '../files/openRecordFile.ts';
import { readFaultOf } from '../files/readFault.ts';
import { openIfThere, readPiece } from '../files/readPiece.ts';
import { formatSeekTable } from '../files/seekTable.ts';
import { compressFrame, hasZstd } from '../files/zstd.ts';
import { changeForm } from './changeForm.ts';
import { nodeRestDisk, type RestDisk } from './RestDisk.ts';

/** Limits the cost of a random read to one frame, a few ms. */
const FRAME_BYTES = 1024 * 1024;
/** Smaller files would save only a few disk blocks; the text of most blocks is smaller. */
export const MIN_BYTES = 64 * 1024;

export interface RestOptions {
  disk?: RestDisk;
  /** Awaited after each frame, so that other work can run. */
  pace?: () => Promise<void>;
  /** Aborts; the file stays unchanged, and the call rejects with the signal's reason. */
  signal?: AbortSignal;
}

export type CompressVerdict =
  | { ok: true; bytesBefore: number; bytesAfter: number }
  | { ok: false; reason: 'missing' | 'small' | 'no-zstd' }
  /** The disk refused, or the file was written meanwhile; `text` has the reason. The file is unchanged. */
  | { ok: false; reason: 'failed'; text: string };

/** Compresses `path`. It must have no writer: a write during compression makes this fail. */
export async function compressFile(
  path: string,
  { disk = nodeRestDisk, ...turns }: RestOptions,
): Promise<CompressVerdict> {
  if (!hasZstd) return { ok: false, reason: 'no-zstd' };
  const plain = await openIfThere(path).catch((thrown: unknown) => readFaultOf(thrown, path) ?? Promise.reject(thrown));
  if (!plain) return { ok: false, reason: 'missing' };
  if ('reason' in plain) return { ok: false, reason: 'failed', text: plain.reason };
  try {
    const { size } = await plain.stat();
    if (size < MIN_BYTES) return { ok: false, reason: 'small' };
    const digest = createHash('sha256');
    let bytesAfter = 0;
    await changeForm({
      from: path,
      to: restedPath(path),
      disk,
      async fill(file) {
        bytesAfter = await writeFrames(plain, async (bytes, content) => {
          if (content) digest.update(content);
          await disk.write(file, bytes);
          await takeTurns(turns);
        });
      },
      verify: (written) => verifyContent(written, { size, sha256: digest.digest('hex') }, turns),
    });
    return { ok: true, bytesBefore: size, bytesAfter };
  } catch (thrown) {
    turns.signal?.throwIfAborted();
    return { ok: false, reason: 'failed', text: asDiskError(thrown).reason };
  } finally {
    await plain.close();
  }
}

/**
 * Decompresses `path`, so that it can be written again; removes a compressed form beside a plain one. Does nothing if there is no
 * compressed form. Rejects with errors of the disk: the compressed form remains then, and `path` must not be written.
 */
export async function decompressFile(path: string, { disk = nodeRestDisk }: { disk?: RestDisk } = {}): Promise<void> {
  const compressed = await CompressedFile.open(restedPath(path));
  if (!compressed) return;
  try {
    const plain = await openIfThere(path);
    await plain?.close();
    if (plain)
      await disk.remove(restedPath(path)); // not needed, damaged or not
    else await writePlain(path, compressed, disk);
  } finally {
    await compressed.close();
  }
}

async function writePlain(path: string, compressed: CompressedFile, disk: RestDisk): Promise<void> {
  const size = await compressed.size();
  await changeForm({
    from: restedPath(path),
    to: path,
    disk,
    async fill(file) {
      for (const { contentAt, contentBytes } of compressed.frames)
        await disk.write(file, await compressed.read(contentAt, contentBytes)); // each frame's checksum was verified
    },
    async verify(written) {
      const file = await openIfThere(written);
      const found = (await file?.stat())?.size;
      await file?.close();
      if (found !== size) throw new Error(`${found} bytes were written instead of ${size}`);
    },
  });
}

/** Writes the compressed file piece by piece, with the content of each piece; returns the file's length. */
async function writeFrames(
  plain: FileHandle,
  write: (bytes: Buffer, content: Buffer | null) => Promise<void>,
): Promise<number> {
  const frames: { bytes: number; contentBytes: number }[] = [];
  let length = 0;
  for (let at = 0; ; at += FRAME_BYTES) {
    const content = await readPiece(plain, at, FRAME_BYTES);
    if (content.length === 0) break;
    const frame = await compressFrame(content);
    frames.push({ bytes: frame.length, contentBytes: content.length });
    length += frame.length;
    await write(frame, content);
  }
  const table = formatSeekTable(frames);
  await write(table, null);
  return length + table.length;
}

async function verifyContent(
  path: string,
  expected: { size: number; sha256: string },
  turns: Omit<RestOptions, 'disk'>,
): Promise<void> {
  const source = await CompressedFile.open(path);
  if (!source) throw new Error('it was removed while it was written');
  try {
    const digest = createHash('sha256');
    for await (const piece of pieces(source)) {
      digest.update(piece);
      await takeTurns(turns);
    }
    if ((await source.size()) === expected.size && digest.digest('hex') === expected.sha256) return;
    throw new Error('what was read back is not what was compressed');
  } finally {
    await source.close();
  }
}

async function takeTurns({ pace, signal }: Omit<RestOptions, 'disk'>): Promise<void> {
  await pace?.();
  signal?.throwIfAborted();
}

async function* pieces(source: RecordSource): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const piece = await source.read(at, FRAME_BYTES);
    if (piece.length === 0) return;
    at += piece.length;
    yield piece;
  }
}
