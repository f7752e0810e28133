import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { asDiskError, NOFOLLOW } from './Disk.ts';
import { DamagedFile } from './readFault.ts';

/** A FIFO in the place of a file must not be waited for; Windows has no such flag. */
const NONBLOCK = constants.O_NONBLOCK ?? 0;

/** `length` bytes from `position`, or what there is of them. */
export async function readPiece(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const size = (await file.stat()).size;
  const into = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - position)));
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled);
    if (bytesRead === 0) break; // cut meanwhile
    filled += bytesRead;
  }
  return into.subarray(0, filled);
}

/** The file for reading, or null when there is none. Rejects for any other reason, a symbolic link among them. */
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
