import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type Log } from '../util/Log.ts';

/** A log of this size starts again; the one before it is kept beside it as `core.log.1`. Bytes. */
const MAX_LOG_BYTES = 8 * 1024 * 1024;

/**
 * The log of a core or of the desktop app: `core.log` in the data folder, 0600. It is written through a descriptor: where the folder is
 * moved, the log goes along. It helps, but it is not the record: where it cannot be written (a full disk is the usual reason) it stays
 * silent.
 */
export function createFileLog(dataFolder: string): Log {
  const path = join(dataFolder, 'core.log');
  let fd: number | null = null;
  const write = (line: string): void => {
    try {
      if (fd !== null && isOver(fd, path)) {
        closeSync(fd);
        fd = null;
      }
      fd ??= openSync(path, 'a', 0o600);
      writeSync(fd, line);
    } catch {
      fd = null; // see above: silent
    }
  };
  write(''); // opens it now: the first line may come when the folder has moved
  return createLog(write);
}

/** Whether a person removed the file, or it is full and was put aside. */
function isOver(fd: number, path: string): boolean {
  const { nlink, size, ino } = fstatSync(fd);
  if (nlink === 0) return true;
  if (size <= MAX_LOG_BYTES || statSync(path, { throwIfNoEntry: false })?.ino !== ino) return false;
  renameSync(path, `${path}.1`);
  return true;
}
