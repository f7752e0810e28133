import { constants } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NOFOLLOW } from '../files/Disk.ts';
import { temporaryName } from '../files/sweepTemporaries.ts';
import type { RestDisk } from './RestDisk.ts';

const PRIVATE_FILE = 0o600;

/** Replaces a file by another form of the same content, plain or compressed. */
export interface FormChange {
  /** Path of the existing form. */
  from: string;
  /** Path of the new form. */
  to: string;
  disk: RestDisk;
  /** Writes the new form. */
  fill(file: FileHandle): Promise<void>;
  /** Reads the new form back from `path`; rejects if its content differs. */
  verify(path: string): Promise<void>;
}

/**
 * Writes the new form beside the old one, syncs it, reads it back, renames it and syncs the folder; only then removes the old form. A crash at
 * any moment leaves the old form, the new form, or both, each of them complete. The new form keeps the old one's times, so that an unused
 * file stays unused. Rejects if the disk refuses or the old form changed meanwhile; the old form remains then.
 */
export async function changeForm({ from, to, disk, fill, verify }: FormChange): Promise<void> {
  const before = await stat(from);
  const temporary = temporaryName(join(dirname(to), `.${basename(to)}`));
  try {
    const file = await open(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW,
      PRIVATE_FILE,
    );
    try {
      await fill(file);
      await disk.sync(file);
      await file.utimes(before.atime, before.mtime);
    } finally {
      await file.close();
    }
    await verify(temporary);
    const now = await stat(from);
    if (now.ino !== before.ino || now.size !== before.size || now.mtimeMs !== before.mtimeMs)
      throw new Error(`${basename(from)} was written meanwhile`);
    await disk.rename(temporary, to);
  } catch (thrown) {
    await unlink(temporary).catch(() => undefined); // never made, already renamed, or the disk refuses this too
    throw thrown;
  }
  await disk.syncFolder(dirname(to));
  await disk.remove(from);
}
