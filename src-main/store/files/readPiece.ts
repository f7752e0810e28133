import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { asDiskError, NOFOLLOW } from './Disk.ts';
import { DamagedFile } from './readFault.ts';

/** Opening a FIFO must not block; Windows has no such flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Our state files are small; a larger file is not ours. */
const MAX_SMALL_BYTES = 16 * 1024 * 1024;

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

/**
 * Opens a regular file for reading. Rejects at once with a DamagedFile for anything else, such as a FIFO, which would block every reader.
 * Refuses symbolic links, unless `flags` are 0.
 */
export async function openRegular(path: string, flags = NOFOLLOW): Promise<FileHandle> {
  const file = await open(path, READ | flags).catch((thrown: unknown) => {
    throw isSocket(thrown) ? notRegular(path) : thrown;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw notRegular(path);
}

/** Synchronous `openRegular`; its caller closes the descriptor. */
export function openRegularNow(path: string, flags = NOFOLLOW): number {
  let file: number;
  try {
    file = openSync(path, READ | flags);
  } catch (thrown) {
    throw isSocket(thrown) ? notRegular(path) : thrown;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notRegular(path);
}

/** Reads up to `length` bytes of a regular file from `position`. */
export function readRangeNow(path: string, position: number, length: number): Uint8Array {
  const file = openRegularNow(path);
  try {
    const into = new Uint8Array(length);
    return into.subarray(0, readSync(file, into, 0, length, position));
  } finally {
    closeSync(file);
  }
}

/** Opens the file for reading; null if it does not exist. Rejects with any other error, also for a symbolic link. */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await openRegular(path);
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return null;
    throw thrown;
  }
}

/** Reads a file of state as text. Rejects with a DamagedFile if it is no regular file, or too large to be ours. */
export async function readSmall(path: string): Promise<string> {
  const file = await openRegular(path, 0); // people link their settings
  try {
    requireSmall(path, await file.stat());
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Synchronous `readSmall`. */
export function readSmallNow(path: string): string {
  const file = openRegularNow(path, 0);
  try {
    requireSmall(path, fstatSync(file));
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function requireSmall(path: string, { size }: { size: number }): void {
  if (size > MAX_SMALL_BYTES) throw new DamagedFile(path, `is larger than ${MAX_SMALL_BYTES / 1024 / 1024} MiB`);
}

function isSocket(thrown: unknown): boolean {
  return asDiskError(thrown).code === 'ENXIO';
}

function notRegular(path: string): DamagedFile {
  return new DamagedFile(path, 'is not a regular file');
}
