import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { openRegular } from '../files/readPiece.ts';

/** Deeper than any real work tree; a longer path is not examined further. */
const MAX_DEPTH = 64;
/** HEAD and a `.git` file are one short line. */
const MAX_BYTES = 4096;

/** A work tree and the folder that holds its HEAD and index. */
export interface WorkTree {
  readonly root: string;
  readonly gitFolder: string;
}

/** Finds the work tree around `cwd`; null if there is none. Starts no process, never rejects. */
export async function findWorkTree(cwd: string): Promise<WorkTree | null> {
  if (!isAbsolute(cwd)) return null;
  let folder = resolve(cwd);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const gitFolder = await findGitFolder(join(folder, '.git'));
    if (gitFolder) return { root: folder, gitFolder };
    const parent = dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return null;
}

/**
 * The branch checked out in the work tree around `cwd`, or the first seven digits of the commit if HEAD is
 * detached; null outside of a work tree. Reads at most `.git` and `HEAD`, starts no process, never rejects.
 */
export async function readGitBranch(cwd: string): Promise<string | null> {
  const tree = await findWorkTree(cwd);
  return tree && headOf(tree);
}

/** Like `readGitBranch`, for a known work tree. */
export async function headOf({ gitFolder }: WorkTree): Promise<string | null> {
  return parseHead(await readShort(join(gitFolder, 'HEAD')));
}

/** A linked work tree or a submodule has a file instead of the folder: `gitdir: <path>`, relative to the file's folder. */
async function findGitFolder(path: string): Promise<string | null> {
  try {
    if ((await stat(path)).isDirectory()) return path;
  } catch {
    return null; // missing or not accessible: continue in the parent
  }
  const target = /^gitdir: (.+)$/m.exec((await readShort(path)) ?? '')?.[1]?.trim();
  return target ? resolve(dirname(path), target) : null;
}

/** Parses `ref: refs/heads/<branch>` or a commit's hash. A reftable repository has `ref: refs/heads/.invalid`, which gives null. */
export function parseHead(head: string | null): string | null {
  const text = head?.trim() ?? '';
  const ref = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1];
  if (ref) return ref === '.invalid' ? null : ref;
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text) ? text.slice(0, 7) : null;
}

async function readShort(path: string): Promise<string | null> {
  try {
    const file = await openRegular(path, 0);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return null; // the branch is optional, so any error means none
  }
}
