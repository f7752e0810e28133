import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { readSmallNow } from '../../store/files/readPiece.ts';
import { replaceFile } from '../../store/files/replaceFile.ts';
import { ensurePrivateFolder } from '../../store/instance/dataFolder.ts';

/**
 * Writes a new key to `path` and returns it. Only the core that holds the lock of the data folder may, because the host admits the holder
 * of the latest key. On a full disk it returns the existing key. Rejects if neither is possible.
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
    return readSmallNow(path);
  } catch {
    return '';
  }
}
