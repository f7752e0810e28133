import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../../store/files/replaceFile.ts';
import { ensurePrivateFolder } from '../../store/instance/dataFolder.ts';

/**
 * Puts a new key at `path` and returns it. Only the core that has the lock of the data folder may: the host admits who has the latest key.
 * On a full disk it is the one that is there. Rejects where neither can be had.
 */
export async function renewKey(path: string): Promise<string> {
  const key = randomBytes(32).toString('hex');
  ensurePrivateFolder(dirname(path));
  try {
    await replaceFile(path, key, { fsync: false });
    return key;
  } catch (error) {
    const last = lastKey(path);
    if (last === '') throw error;
    return last;
  }
}

function lastKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
