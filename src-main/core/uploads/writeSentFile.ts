import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of a file's name; in UTF-8 it is then no longer than every file system takes. What is left is a name that every shell and program takes. */
const MAX_NAME_CHARS = 80;

/**
 * Writes a file that a window sends, and returns its path: the person dropped or pasted it into a terminal of this machine, the browser names no path, and
 * a path of another machine means nothing here. Each has a private temporary folder of its own, because the system removes old ones while we run.
 * `name` is the sender's: of its characters only harmless ones are kept.
 */
export async function writeSentFile(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'hansard-file-')), harmless(name));
  await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
  return path;
}

function harmless(name: string): string {
  const kept = name
    .normalize('NFC')
    .slice(-MAX_NAME_CHARS)
    .replace(/[^\p{L}\p{N}._-]+/gu, '_');
  return kept.replace(/^[.-]+/, '') || 'file';
}
