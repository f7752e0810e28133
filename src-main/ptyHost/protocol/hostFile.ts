import { statSync } from 'node:fs';
import { join } from 'node:path';

/** The file with a host's process and socket, so that a person can end a host that hangs. Read by `findHost`. */
export function hostFilePath(dataFolder: string): string {
  return join(dataFolder, 'run', 'pty-host.json');
}

/** Identifies the folder: a copy, which has that file but no host, has another key. Null if the folder does not exist. */
export function folderKey(dataFolder: string): string | null {
  const found = statSync(dataFolder, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
