import { opendir, stat } from 'node:fs/promises';

/** Maximum number of entries that are read of a folder, because a listing must not delay typing. */
const MAX_ENTRIES = 20_000;
const MAX_KEPT = 8;

export interface Entry {
  name: string;
  kind: 'folder' | 'file' | 'link';
}

/** Entries of folders, kept until the folder changes. */
export class FolderLists {
  readonly #known = new Map<string, { changedMs: number; entries: readonly Entry[] }>();

  async list(folder: string): Promise<readonly Entry[]> {
    const found = await stat(folder).catch(() => null); // the folder does not exist
    if (!found?.isDirectory()) return [];
    const known = this.#known.get(folder);
    if (known?.changedMs === found.mtimeMs) return known.entries;
    const entries = await readEntries(folder);
    this.#known.delete(folder);
    this.#known.set(folder, { changedMs: found.mtimeMs, entries });
    for (const old of [...this.#known.keys()].slice(0, -MAX_KEPT)) this.#known.delete(old);
    return entries;
  }
}

async function readEntries(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const open = await opendir(folder, { bufferSize: 512 }).catch(() => null); // the folder cannot be read
  if (!open) return entries;
  for await (const entry of open) {
    const kind = entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file';
    // A name that is not UTF-8 cannot be inserted into the line.
    if (!entry.name.includes('\ufffd')) entries.push({ name: entry.name, kind });
    if (entries.length >= MAX_ENTRIES) break;
  }
  return entries;
}
