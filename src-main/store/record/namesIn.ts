import { readdirSync } from 'node:fs';
import { asDiskError } from '../files/Disk.ts';

/** Names of what is in a folder, in no promised order; none if there is no such folder. Throws when the disk refuses. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return [];
    throw thrown;
  }
}
