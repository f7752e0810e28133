import { readdirSync } from 'node:fs';
import { asDiskError } from '../files/Disk.ts';

/** Names in a folder, in any order; empty if the folder does not exist. Throws errors of the disk. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return [];
    throw thrown;
  }
}
