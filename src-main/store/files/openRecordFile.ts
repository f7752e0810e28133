import { stat } from 'node:fs/promises';
import { CompressedFile } from './CompressedFile.ts';
import { asDiskError } from './Disk.ts';
import { openIfThere, readPiece } from './readPiece.ts';

/** A file of the record for reading, in whichever form it is. The owner closes it. */
export interface RecordSource {
  /** Bytes of content now; a file that is being written grows. */
  size(): Promise<number>;
  /** `length` bytes from `position`, or what there is of them, as a buffer of their own. Rejects when the disk refuses. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Where the compressed form of `path` lies. */
export function restedPath(path: string): string {
  return `${path}.zst`;
}

/**
 * `path` for reading, or null when there is neither it nor its compressed form. The plain file wins: the other one is then
 * what a compression or its undoing has not got round to removing, and may be older. Rejects for any other reason.
 */
export async function openRecordFile(path: string): Promise<RecordSource | null> {
  return (await openPlain(path)) ?? (await CompressedFile.open(restedPath(path))) ?? (await openPlain(path)); // it may have come back meanwhile
}

/** Bytes of content of `path` in whichever form; null when it is in none. */
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
