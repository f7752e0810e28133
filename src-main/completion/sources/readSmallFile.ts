import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Returns the text of a regular file, or '' if it is missing, larger than `maxBytes` or not readable. O_NONBLOCK prevents a FIFO from
 * blocking the caller.
 */
export async function readSmallFile(path: string, maxBytes = 1024 * 1024): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null); // the file often does not exist
  if (!file) return '';
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > maxBytes) return '';
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } catch {
    return ''; // the disk reported an error
  } finally {
    await file.close();
  }
}
