import { opendir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findAbove } from './findAbove.ts';
import { readSmallFile } from './readSmallFile.ts';

const MAX_PACKED_BYTES = 16 * 1024 * 1024;
/** More refs than a person looks through. */
const MAX_LOOSE = 5_000;

export type RefKind = 'heads' | 'tags' | 'remotes';

/**
 * Returns the branches, tags or remote branches of the repository that contains `folder`. It reads the files and does not run git, which would
 * run programs that the repository's config names. A repository with reftables has no ref files, so the result is empty.
 */
export async function readRefs(folder: string, kind: RefKind): Promise<string[]> {
  const git = await commonFolder(folder);
  if (git === null) return [];
  const packed = await readSmallFile(join(git, 'packed-refs'), MAX_PACKED_BYTES);
  const names = new Set<string>();
  await addLoose(join(git, 'refs', kind), '', names);
  for (const line of packed.split('\n')) {
    const name = line.slice(line.indexOf(' ') + 1);
    if (name.startsWith(`refs/${kind}/`)) names.add(name.slice(kind.length + 6));
  }
  return [...names].filter((name) => !name.endsWith('/HEAD'));
}

/** Names of the remotes in the repository's config. */
export async function readRemotes(folder: string): Promise<string[]> {
  const git = await commonFolder(folder);
  if (git === null) return [];
  const config = await readSmallFile(join(git, 'config'));
  return [...config.matchAll(/^\s*\[remote\s+"((?:[^"\\]|\\.)*)"\]/gm)].map(([, name = '']) =>
    name.replace(/\\(.)/g, '$1'),
  );
}

/** Returns the folder with the refs; for a worktree, the main repository's. */
async function commonFolder(folder: string): Promise<string | null> {
  const entry = await findAbove(folder, ['.git']);
  if (entry === null) return null;
  const isFolder = (await stat(entry).catch(() => null))?.isDirectory() ?? false; // it was removed
  const named = isFolder ? undefined : /^gitdir: (.*)$/m.exec(await readSmallFile(entry))?.[1];
  const git = isFolder ? entry : resolve(dirname(entry), named ?? '.git');
  const common = (await readSmallFile(join(git, 'commondir'))).trim();
  return common === '' ? git : resolve(git, common);
}

async function addLoose(folder: string, before: string, names: Set<string>): Promise<void> {
  const entries = await opendir(folder).catch(() => null); // all refs of this kind may be packed
  if (!entries) return;
  for await (const entry of entries) {
    if (names.size >= MAX_LOOSE) return;
    const name = `${before}${entry.name}`;
    if (entry.isDirectory()) await addLoose(join(folder, entry.name), `${name}/`, names);
    else if (entry.isFile() && !name.endsWith('.lock')) names.add(name);
  }
}
