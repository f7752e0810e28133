import { timingSafeEqual } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';

const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
const MAX_KEY_BYTES = 256;

/**
 * Whether `key` is what the file at `path` has now. The core that has the lock of the data folder writes a new one at its start, so one
 * that ran before has a key of no use.
 */
export function isCurrentKey(path: string, key: unknown): boolean {
  const given = Buffer.from(typeof key === 'string' ? key : '');
  const current = readKey(path);
  return current.length > 0 && given.length === current.length && timingSafeEqual(given, current);
}

function readKey(path: string): Buffer {
  const bytes = Buffer.alloc(MAX_KEY_BYTES);
  try {
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW);
    try {
      return bytes.subarray(0, readSync(fd, bytes));
    } finally {
      closeSync(fd);
    }
  } catch {
    return bytes.subarray(0, 0); // no core has started, or the data folder was removed: then no key is right
  }
}
