import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CompressedFile } from './CompressedFile.ts';
import { asDiskError } from './Disk.ts';
import { openIfThere, readPiece } from './readPiece.ts';

/** A file of the record opened for reading, plain or compressed. Its owner closes it. */
export interface RecordSource {
  /** Current size of the content in bytes; it grows while the file is written. */
  size(): Promise<number>;
  /** Reads up to `length` bytes from `position` into a buffer of their own. Rejects with errors of the disk. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Path of the compressed form of `path`. */
export function restedPath(path: string): string {
  return `${path}.zst`;
}

/** Identifies a state of a file; '' if it does not exist. Compressing changes it, which only costs another read. */
export function stampOf(path: string): string {
  for (const one of [path, restedPath(path)]) {
    const found = statSync(one, { throwIfNoEntry: false });
    if (found) return `${found.size}:${Math.trunc(found.mtimeMs)}`;
  }
  return '';
}

/**
 * Opens `path` for reading; null if neither it nor its compressed form exists. The plain file wins: a compressed form beside it
 * is a leftover of compressing or decompressing, and may be older. Rejects with any other error.
 */
export async function openRecordFile(path: string): Promise<RecordSource | null> {
  return (await openPlain(path)) ?? (await CompressedFile.open(restedPath(path))) ?? (await openPlain(path)); // the plain file may be back
}

/** Size of the content of `path` in bytes, plain or compressed; null if neither exists. */
export async function recordFileSize(path: string): Promise<number | null> {
  const plain = await sizeIfThere(path);
  if (plain !== null) return plain;
  const compressed = await CompressedFile.open(restedPath(path));
  if (!compressed) return sizeIfThere(path);
  try {
    return await compressed.size();
  } finally {
    await compressed.close();
  }
}

async function openPlain(path: string): Promise<RecordSource | null> {
  const file = await openIfThere(path);
  if (!file) return null;
  return {
    size: async () => (await file.stat()).size,
    read: (position, length) => readPiece(file, position, length),
    close: () => file.close(),
  };
}

async function sizeIfThere(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return null;
    throw thrown;
  }
}
