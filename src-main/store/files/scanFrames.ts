import type { FileHandle } from 'node:fs/promises';
import { readPiece } from './readPiece.ts';
import type { SeekEntry } from './seekTable.ts';
import { decompressAny } from './zstd.ts';

const ZSTD_MAGIC = 0xfd2fb528;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
/** More than a frame of ours takes, which holds 1 MiB. */
const MAX_FRAME_BYTES = 2 * 1024 * 1024;

/** The whole frames at the start of a compressed file whose index is gone (RFC 8878 §3.1.1), up to the first that is cut or damaged. */
export async function scanFrames(file: FileHandle): Promise<SeekEntry[]> {
  const frames: SeekEntry[] = [];
  const { size } = await file.stat();
  let at = 0;
  let contentAt = 0;
  while (at < size) {
    const ahead = await readPiece(file, at, MAX_FRAME_BYTES);
    const bytes = frameBytes(ahead);
    const contentBytes = bytes && (await contentLength(ahead.subarray(0, bytes)));
    if (bytes === null || contentBytes === null) break;
    frames.push({ at, bytes, contentAt, contentBytes });
    at += bytes;
    contentAt += contentBytes;
  }
  return frames;
}

/** Length of the frame at the start of `bytes`, which may go on behind it; null when it is none, or cut. */
function frameBytes(bytes: Buffer): number | null {
  const header = readHeader(bytes);
  if (!header) return null;
  let next = header.bytes;
  for (let isLast = false; !isLast; ) {
    if (next + BLOCK_HEADER_BYTES > bytes.length) return null;
    const word = bytes.readUIntLE(next, BLOCK_HEADER_BYTES);
    const type = (word >> 1) & 3;
    isLast = (word & 1) === 1;
    next += BLOCK_HEADER_BYTES + (type === 1 ? 1 : word >> 3); // type 1: one byte, repeated
  }
  const end = next + (header.hasChecksum ? CHECKSUM_BYTES : 0);
  return end <= bytes.length ? end : null;
}

/** Null for a frame that is damaged. Its header need not say what it holds. */
async function contentLength(frame: Buffer): Promise<number | null> {
  try {
    return (await decompressAny(frame)).length;
  } catch {
    return null; // this is where the sound part ends
  }
}

function readHeader(bytes: Buffer): { bytes: number; hasChecksum: boolean } | null {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== ZSTD_MAGIC) return null;
  const descriptor = bytes[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(isSingle) : 1 << sizeFlag;
  const idBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  return { bytes: 5 + Number(!isSingle) + idBytes + sizeBytes, hasChecksum: (descriptor & 4) !== 0 };
}
