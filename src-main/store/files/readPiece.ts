import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { asDiskError, NOFOLLOW } from './Disk.ts';
import { DamagedFile } from './readFault.ts';

/** Opening a FIFO at this path must not block; Windows has no such flag. */
const NONBLOCK = constants.O_NONBLOCK ?? 0;

/** Reads up to `length` bytes from `position`. */
export async function readPiece(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const size = (await file.stat()).size;
  const into = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - position)));
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled);
    if (bytesRead === 0) break; // the file was cut meanwhile
    filled += bytesRead;
  }
  return into.subarray(0, filled);
}

/** Opens the file for reading; null if it does not exist. Rejects with any other error, also for a symbolic link. */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | NOFOLLOW | NONBLOCK);
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return null;
    throw thrown;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new DamagedFile(path, 'is not a regular file');
}
