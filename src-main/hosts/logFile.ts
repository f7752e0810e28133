import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type Log } from '../util/Log.ts';

/** A log of this size is rotated to `core.log.1`. Bytes. */
const MAX_LOG_BYTES = 8 * 1024 * 1024;

/**
 * The log of a core or of the desktop app: `core.log` in the data folder, 0600. Written through a descriptor, so it follows a moved folder. The log
 * is only an aid: if it cannot be written (usually because the disk is full), logging stops silently.
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
  write(''); // opens the file now, because the folder may move before the first line
  return createLog(write);
}

/** Whether the file was deleted, or is full and was rotated here. */
function isOver(fd: number, path: string): boolean {
  const { nlink, size, ino } = fstatSync(fd);
  if (nlink === 0) return true;
  if (size <= MAX_LOG_BYTES || statSync(path, { throwIfNoEntry: false })?.ino !== ino) return false;
  renameSync(path, `${path}.1`);
  return true;
}
