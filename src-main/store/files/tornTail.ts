import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { asDiskError, NOFOLLOW } from './Disk.ts';
import { readPiece } from './readPiece.ts';

const PIECE_BYTES = 256 * 1024;
const PRIVATE_FILE = 0o600;
const LF = 0x0a;

export interface TornTail {
  /** Bytes that were cut off. */
  bytes: number;
  /** Path of the piece; null for NULs, which carry no information. */
  keptAs: string | null;
}

/**
 * Cuts the bytes after the last LF of a file of lines: a partial record from when the process or the machine
 * stopped, or NULs from the file system. The piece is moved to `<path>.torn-<ms>` first. Null if nothing was torn.
 * Rejects with errors of the disk; the file is unchanged then.
 */
export async function cutTornTail(path: string, nowMs: number): Promise<TornTail | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDWR | NOFOLLOW);
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return null;
    throw thrown;
  }
  try {
    const { size } = await file.stat();
    const goodSize = await endOfLastLine(file, size);
    if (goodSize === size) return null;
    const keptAs = (await isNuls(file, goodSize, size)) ? null : `${path}.torn-${nowMs}`;
    if (keptAs) await copyTail(file, goodSize, keptAs);
    await file.truncate(goodSize);
    await file.datasync();
    return { bytes: size - goodSize, keptAs };
  } finally {
    await file.close();
  }
}

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  for (let at = size; at > 0; ) {
    const from = Math.max(0, at - PIECE_BYTES);
    const lf = (await readPiece(file, from, at - from)).lastIndexOf(LF);
    if (lf >= 0) return from + lf + 1;
    at = from;
  }
  return 0;
}

async function isNuls(file: FileHandle, from: number, to: number): Promise<boolean> {
  for (let at = from; at < to; at += PIECE_BYTES) {
    const piece = await readPiece(file, at, Math.min(PIECE_BYTES, to - at));
    if (piece.some((byte) => byte !== 0)) return false;
  }
  return true;
}

async function copyTail(file: FileHandle, from: number, keptAs: string): Promise<void> {
  const kept = await open(keptAs, 'ax', PRIVATE_FILE);
  try {
    for (let at = from; ; ) {
      const piece = await readPiece(file, at, PIECE_BYTES);
      if (piece.length === 0) break;
      await kept.writeFile(piece);
      at += piece.length;
    }
    await kept.datasync();
  } finally {
    await kept.close();
  }
}
