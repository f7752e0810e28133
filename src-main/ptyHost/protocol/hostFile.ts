import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Where a host says which process it is and where it listens: a person must be able to end one that hangs, see `findHost`. */
export function hostFilePath(dataFolder: string): string {
  return join(dataFolder, 'run', 'pty-host.json');
}

/** Differs in a copy of the folder, which has a copy of that file but no host. Null where there is no folder. */
export function folderKey(dataFolder: string): string | null {
  const found = statSync(dataFolder, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
