import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One build of Hansard in the folder of an installation. */
export interface Program {
  /** By the content. */
  readonly id: string;
  /** Changes whenever a file is written or replaced. */
  readonly stamp: string;
}

/** Reads some hundred kilobytes; null while files are missing. */
export function readProgram(root: string): Program | null {
  const stamp = programStamp(root); // first: files that change meanwhile have another stamp at the next look
  if (stamp === null) return null;
  try {
    const hash = createHash('sha256');
    for (const file of entryFiles(root)) hash.update(file.slice(root.length)).update(readFileSync(file));
    return { id: hash.digest('hex').slice(0, 16), stamp };
  } catch {
    return null; // an update is being copied, or the build was removed
  }
}

/** `Program.stamp`, without reading the files; null while files are missing. */
export function programStamp(root: string): string | null {
  try {
    return entryFiles(root)
      .map((file) => statSync(file))
      .map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`)
      .join('\n');
  } catch {
    return null;
  }
}

/** The files that lead to all others, by imports whose names contain a hash of the content. */
function entryFiles(root: string): string[] {
  const main = join(root, 'out/main');
  const scripts = readdirSync(main).filter((name) => name.endsWith('.js'));
  return [...scripts.sort().map((name) => join(main, name)), join(root, 'out/renderer/index.html')];
}
