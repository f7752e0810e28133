import { constants } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NOFOLLOW } from '../files/Disk.ts';
import { temporaryName } from '../files/sweepTemporaries.ts';
import type { RestDisk } from './RestDisk.ts';

const PRIVATE_FILE = 0o600;

/** A file that another form of the same content is to replace. */
export interface FormChange {
  /** The form that is there. */
  from: string;
  /** The form that is to be there instead. */
  to: string;
  disk: RestDisk;
  /** Writes the new form. */
  fill(file: FileHandle): Promise<void>;
  /** Reads the new form back from `path`; rejects when it is not the same content. */
  verify(path: string): Promise<void>;
}

/**
 * Replaces one form of a file by the other: written beside it, synced, read back, renamed, synced, and only then the old one
 * is removed. Whenever this is cut short, the old form is there, or both, or the new one, each of them whole. The new one has
 * the old one's times: what was not used stays unused. Rejects when the disk refuses or the old form changed meanwhile; the
 * old form is there then.
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
    await unlink(temporary).catch(() => undefined); // never made, renamed already, or the disk refuses this too
    throw thrown;
  }
  await disk.syncFolder(dirname(to));
  await disk.remove(from);
}
