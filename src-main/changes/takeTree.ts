import { chmod, rm } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { LeftOut, SnapshotFault } from '../contract/changes.ts';
import { type Candidates, findCandidates, type SnapshotLimits } from './Candidates.ts';
import { GitFault } from './git.ts';
import { splitNul, toBytes, toText } from './pathBytes.ts';
import type { Shadow } from './Shadow.ts';

export interface TakenTree {
  readonly tree: string;
  readonly leftOut: readonly LeftOut[];
  readonly ignored: readonly string[];
}

export interface TreeWish {
  readonly limits: SnapshotLimits;
  /** Paths that the tree includes even if git ignores them. They are as in pathBytes.ts. */
  readonly also?: readonly string[];
}

/** The untracked files are too many or too large to be stored without asking. */
export class TooLarge extends Error {}

const LISTED = ['--exclude-standard', '-z'];
/** A smaller number of new files and bytes is not checked against the person's index. */
const SMALL_FILES = 2_000;
const SMALL_BYTES = 64 * 1024 * 1024;
const MAX_IGNORED = 1_000;
const MAX_LEFT_OUT = 500;
/** A file that is written while it is read is read again. */
const MAX_TRIES = 4;

/**
 * Stores the work tree as a git tree, without ignored files unless they are in the person's index. It writes only our own index and the object
 * store. Rejects with a `GitFault` or `TooLarge`.
 */
export async function takeTree(shadow: Shadow, wish: TreeWish): Promise<TakenTree> {
  const left = deadline(wish.limits.timeMs);
  await rm(`${shadow.index}.lock`, { force: true }); // a git that was killed left it; no other process uses this index
  try {
    return await takeNow(shadow, wish, left);
  } catch (error) {
    if (!(error instanceof GitFault) || error.why !== 'failed') throw error;
    await rm(shadow.index, { force: true }); // a damaged index can be created again
    await rm(`${shadow.index}.lock`, { force: true });
    return await takeNow(shadow, wish, left);
  } finally {
    await chmod(shadow.index, 0o600).catch(() => undefined); // there is no index if git failed before
  }
}

/** Returns a function for the remaining time in ms. It throws when no time is left. */
function deadline(timeMs: number): () => number {
  const endMs = performance.now() + timeMs;
  return () => {
    const leftMs = Math.floor(endMs - performance.now());
    if (leftMs <= 0) throw new GitFault('slow', `the snapshot took longer than ${timeMs / 1000} s`);
    return leftMs;
  };
}

async function takeNow(shadow: Shadow, { limits, also = [] }: TreeWish, left: () => number): Promise<TakenTree> {
  const changed = splitNul(await shadow.run(['ls-files', '-m', '-d', '-o', ...LISTED], left()));
  const forced = new Set([...(await ignoredIn(shadow, 'person', left)), ...also]);
  const ignored = new Set([...(await ignoredIn(shadow, 'own', left))].filter((raw) => !forced.has(raw)));
  const paths = [...new Set([...changed, ...forced])].filter((raw) => !ignored.has(raw));
  const root = Buffer.from(shadow.tree.root);
  const found = await findCandidates(root, paths, limits.fileBytes);
  await requireRoom(shadow, { found, count: paths.length, root }, { limits, left });
  await remove(shadow, [...ignored, ...found.leftOut.map(({ raw }) => raw)], left);
  for (const chunk of found.chunks) await add(shadow, chunk, left);
  const nested = await addNested(shadow, found.nested, left);
  const tree = (await shadow.run(['write-tree'], left())).toString().trim();
  return {
    tree,
    leftOut: [...found.leftOut.map(({ raw: _, ...one }) => one), ...nested].slice(0, MAX_LEFT_OUT),
    ignored: [...ignored].slice(0, MAX_IGNORED).map(toText),
  };
}

/** Lists the ignored files of an index. Either the person added them by force, or git has ignored them since a snapshot. */
async function ignoredIn(shadow: Shadow, index: 'person' | 'own', left: () => number): Promise<Set<string>> {
  const args = ['ls-files', '-c', '-i', ...LISTED];
  return new Set(splitNul(await (index === 'own' ? shadow.run(args, left()) : shadow.runInRepository(args, left()))));
}

interface Wanted {
  readonly found: Candidates;
  readonly count: number;
  readonly root: Buffer;
}

/** Checks the size of untracked files only, because the object store already has the files of the person's index. */
async function requireRoom(
  shadow: Shadow,
  { found, count, root }: Wanted,
  { limits, left }: { limits: SnapshotLimits; left: () => number },
): Promise<void> {
  const isSmall = count <= Math.min(SMALL_FILES, limits.untrackedFiles);
  if (isSmall && found.bytes <= Math.min(SMALL_BYTES, limits.untrackedBytes)) return;
  const untracked = splitNul(await shadow.runInRepository(['ls-files', '-o', ...LISTED], left()));
  const words = `${untracked.length} untracked files`;
  if (untracked.length > limits.untrackedFiles) throw new TooLarge(words);
  const { bytes } = await findCandidates(root, untracked, limits.fileBytes);
  if (bytes > limits.untrackedBytes) throw new TooLarge(`${words} of ${Math.round(bytes / 1024 ** 2)} MiB`);
}

async function add(shadow: Shadow, paths: readonly string[], left: () => number): Promise<void> {
  const input = toBytes(`${paths.join('\0')}\0`);
  for (let tries = 1; ; tries += 1) {
    try {
      await shadow.run(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], left(), { input });
      return;
    } catch (error) {
      if (!(error instanceof GitFault) || error.why !== 'failed' || tries === MAX_TRIES) throw error;
    }
  }
}

async function remove(shadow: Shadow, paths: readonly string[], left: () => number): Promise<void> {
  if (paths.length === 0) return;
  const input = toBytes(`${paths.join('\0')}\0`);
  await shadow.run(['update-index', '-z', '--force-remove', '--stdin'], left(), { input });
}

/** Stores the commit of a repository inside the work tree, as git does for a submodule. A repository without a commit is left out. */
async function addNested(shadow: Shadow, paths: readonly string[], left: () => number): Promise<LeftOut[]> {
  const leftOut: LeftOut[] = [];
  for (const raw of paths) {
    if (isAbsolute(raw)) continue;
    const input = toBytes(`${raw}\0`);
    const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
    const isAdded = await shadow.run(args, left(), { input }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof GitFault && error.why === 'failed') return false;
        throw error;
      },
    );
    if (isAdded) continue;
    await remove(shadow, [raw], left);
    leftOut.push({ path: toText(raw), why: 'nested', bytes: null, changedMs: null });
  }
  return leftOut;
}

export function faultOf(error: unknown): SnapshotFault {
  if (error instanceof TooLarge) return { why: 'large', detail: error.message };
  if (!(error instanceof GitFault))
    return { why: 'failed', detail: error instanceof Error ? error.message : String(error) };
  const why = error.why === 'missing' ? 'git' : error.why === 'slow' ? 'slow' : 'failed';
  return { why, detail: error.message };
}
