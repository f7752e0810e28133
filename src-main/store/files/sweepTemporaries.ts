import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from './processIdentity.ts';

let counter = 0;

/** A name beside `path` for content that is not in its place yet; `sweepTemporaries` knows it by its form. */
export function temporaryName(path: string): string {
  counter += 1;
  return `${path}.${process.pid}-${counter}.tmp`;
}

const TEMPORARY = /\.(\d+)-\d+\.tmp$/;

/** Removes what processes that are gone left half-written in `folder`. What the disk refuses stays for the next time. */
export function sweepTemporaries(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const pid = TEMPORARY.exec(name)?.[1];
      if (pid && processStart(Number(pid)) === null) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // Litter costs some bytes; nothing that the record needs hangs on it.
  }
}
