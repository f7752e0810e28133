import type { FileHandle } from 'node:fs/promises';
import { readPiece } from './readPiece.ts';
import type { SeekEntry } from './seekTable.ts';
import { decompressAny } from './zstd.ts';

const ZSTD_MAGIC = 0xfd2fb528;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
/** More than a compressed frame of ours, which holds 1 MiB. */
const MAX_FRAME_BYTES = 2 * 1024 * 1024;

/** Returns the whole frames at the start of a compressed file without an index (RFC 8878 §3.1.1), up to the first cut or damaged one. */
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

/** Length of the frame at the start of `bytes`, which may contain more; null if there is none or it is cut off. */
function frameBytes(bytes: Buffer): number | null {
  const header = readHeader(bytes);
  if (!header) return null;
  let next = header.bytes;
  for (let isLast = false; !isLast; ) {
    if (next + BLOCK_HEADER_BYTES > bytes.length) return null;
    const word = bytes.readUIntLE(next, BLOCK_HEADER_BYTES);
    const type = (word >> 1) & 3;
    isLast = (word & 1) === 1;
    next += BLOCK_HEADER_BYTES + (type === 1 ? 1 : word >> 3); // type 1: one repeated byte
  }
  const end = next + (header.hasChecksum ? CHECKSUM_BYTES : 0);
  return end <= bytes.length ? end : null;
}

/** Decompresses the frame, because its header need not state the length of its content. Null if the frame is damaged. */
async function contentLength(frame: Buffer): Promise<number | null> {
  try {
    return (await decompressAny(frame)).length;
  } catch {
    return null; // the intact part ends here
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
