import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';

interface Identity {
  dev: bigint;
  ino: bigint;
}

/** The folders that this process holds, by path, with their identity when holding began. */
const held = new Map<string, Identity>();

/**
 * From now on, no file below `folder` is opened or written by its path if `folder` is missing or another folder replaced it: it was moved,
 * and another core may own the path. Open files are still written, because they moved with the folder.
 */
export function holdFolder(folder: string): IDisposable {
  const identity = identityOf(folder);
  if (identity) held.set(folder, identity);
  return toDisposable(() => held.delete(folder));
}

/** False when the held folder of `path` is no longer at its path. True for a path outside held folders. */
export function isInPlace(path: string): boolean {
  if (held.size === 0) return true;
  for (let folder = path; ; folder = dirname(folder)) {
    const known = held.get(folder);
    if (known) {
      const now = identityOf(folder);
      return now !== null && now.dev === known.dev && now.ino === known.ino;
    }
    if (folder === dirname(folder)) return true;
  }
}

/** Throws an errno error for a path in a held folder that was moved away. */
export function requireInPlace(path: string): void {
  if (isInPlace(path)) return;
  throw Object.assign(new Error('the data folder was moved away while Hansard runs'), { code: 'ESTALE', path });
}

function identityOf(folder: string): Identity | null {
  try {
    const { dev, ino } = lstatSync(folder, { bigint: true });
    return { dev, ino };
  } catch {
    return null; // it does not exist, or a parent is not a folder
  }
}
