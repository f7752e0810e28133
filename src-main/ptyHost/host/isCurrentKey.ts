import { timingSafeEqual } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { openRegularNow } from '../../store/files/readPiece.ts';

const MAX_KEY_BYTES = 256;

/**
 * Whether `key` equals the content of the file at `path`. The core that holds the lock of the data folder writes a new key at its start,
 * so an earlier core's key is useless.
 */
export function isCurrentKey(path: string, key: unknown): boolean {
  const given = Buffer.from(typeof key === 'string' ? key : '');
  const current = readKey(path);
  return current.length > 0 && given.length === current.length && timingSafeEqual(given, current);
}

function readKey(path: string): Buffer {
  const bytes = Buffer.alloc(MAX_KEY_BYTES);
  try {
    const fd = openRegularNow(path);
    try {
      return bytes.subarray(0, readSync(fd, bytes));
    } finally {
      closeSync(fd);
    }
  } catch {
    return bytes.subarray(0, 0); // no core has started, or the data folder was removed: then no key is valid
  }
}
