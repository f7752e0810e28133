import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type Log } from '../util/Log.ts';

/** A log of this size starts again; the one before it is kept beside it as `core.log.1`. Bytes. */
const MAX_LOG_BYTES = 8 * 1024 * 1024;

/**
 * The log of a core or of the desktop app: `core.log` in the data folder, 0600. It helps, but it is not the record: where it cannot be
 * written (a full disk is the usual reason) it stays silent.
 */
export function createFileLog(dataFolder: string): Log {
  const path = join(dataFolder, 'core.log');
  return createLog((line) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
      appendFileSync(path, line, { mode: 0o600 });
    } catch {
      // see above: silent
    }
  });
}
