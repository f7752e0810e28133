import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the bytes on disk (a hole takes none) and the newest change below `folder`; does not follow links. */
export async function weigh(folder: string): Promise<{ bytes: number; lastUsedMs: number }> {
  let bytes = 0;
  let lastUsedMs = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null); // a temporary file may be gone already
    if (!found) continue;
    const { blocks, size, mtimeMs } = found;
    bytes += process.platform === 'win32' ? size : blocks * 512;
    lastUsedMs = Math.max(lastUsedMs, mtimeMs);
  }
  return { bytes, lastUsedMs };
}
