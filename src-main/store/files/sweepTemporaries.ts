import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from './processIdentity.ts';

let counter = 0;

/** Returns a name beside `path` for content that is not in place yet; `sweepTemporaries` recognizes it. */
export function temporaryName(path: string): string {
  counter += 1;
  return `${path}.${process.pid}-${counter}.tmp`;
}

const TEMPORARY = /\.(\d+)-\d+\.tmp$/;

/** Removes the half-written files of dead processes from `folder`. Files that the disk refuses to remove stay until the next time. */
export function sweepTemporaries(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const pid = TEMPORARY.exec(name)?.[1];
      if (pid && processStart(Number(pid)) === null) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // A leftover costs some bytes; the record does not depend on its removal.
  }
}
