import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '../projects/readProject.ts';
import type { WorkTree } from '../store/record/gitBranch.ts';
import { runGit } from './runGit.ts';

/** Paths that one git command gets as arguments; Linux allows 2 MiB of them. */
const PATHS_AT_ONCE = 200;
/** A sparse checkout may mark a whole repository; so many of the marked files may be on the disk and are compared. */
const MAX_COMPARED = 5_000;
/** A letter of `git ls-files -v`: lower case is assume-unchanged, S is skip-worktree. */
const MARKED = /^(?:[a-z]|S) /;

/**
 * True if a file that git ignores on request (`update-index --assume-unchanged`, `--skip-worktree`) differs from the index: `git status` hides
 * this edit, and `git worktree remove` loses it. A file that is not on the disk, as in a sparse checkout, is no edit. Null if it cannot be known.
 */
export async function hasHiddenEdits(tree: WorkTree, env: Env): Promise<boolean | null> {
  const listed = await runGit(tree, ['ls-files', '-v', '-z'], env);
  if (!listed.isOk) return null;
  const marked = listed.text.split('\0').filter((line) => MARKED.test(line));
  const present: string[] = [];
  for (const path of marked.map((line) => line.slice(2))) {
    const file = await lstat(join(tree.root, path)).catch(() => null);
    if (file && !file.isFile()) return true; // a link or folder is in its place
    if (file) present.push(path);
    if (present.length > MAX_COMPARED) return null;
  }
  for (let at = 0; at < present.length; at += PATHS_AT_ONCE) {
    const isEqual = await areInIndex(tree, present.slice(at, at + PATHS_AT_ONCE), env);
    if (isEqual !== true) return isEqual === null ? null : true;
  }
  return false;
}

async function areInIndex(tree: WorkTree, paths: readonly string[], env: Env): Promise<boolean | null> {
  const [staged, hashed] = await Promise.all([
    runGit(tree, ['--literal-pathspecs', 'ls-files', '-s', '-z', '--', ...paths], env),
    runGit(tree, ['hash-object', '--', ...paths], env),
  ]);
  if (!staged.isOk || !hashed.isOk) return null;
  const blobs = new Map(
    staged.text.split('\0').map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')[1]]),
  );
  const hashes = hashed.text.split('\n');
  return paths.every((path, at) => blobs.get(path) === hashes[at]);
}
