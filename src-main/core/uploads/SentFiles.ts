import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of a file's name; what is left is a name that every shell and program takes. */
const MAX_NAME_CHARS = 100;

/**
 * Files that a window sends, because the person dropped or pasted them into a terminal of this machine: the browser names no path, and a path of another
 * machine means nothing here. They lie in a private temporary folder, which the system clears as it clears others.
 */
export class SentFiles {
  #folder: Promise<string> | null = null;
  #count = 0;

  /** Writes a file and returns its path. `name` is the sender's: of its characters only harmless ones are kept. */
  async write(name: string, bytes: Uint8Array): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'hansard-files-'));
    const folder = await this.#folder.catch((error: unknown) => {
      this.#folder = null;
      throw error;
    });
    this.#count += 1;
    const path = join(folder, `${this.#count}-${harmless(name)}`);
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
    return path;
  }
}

function harmless(name: string): string {
  const kept = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(-MAX_NAME_CHARS);
  return kept.replace(/^[.-]+/, '') || 'file';
}
