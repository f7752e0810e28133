import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';

interface Identity {
  dev: bigint;
  ino: bigint;
}

/** Folders that this process owns, by their path, as they were when it began to. */
const held = new Map<string, Identity>();

/**
 * From here on nothing is opened or put by its path below `folder` where another folder stands there, or none: it was moved away,
 * and another core may own the path now. Files that are open are written on: they moved along.
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
    return null; // not there, or behind something that is no folder
  }
}
