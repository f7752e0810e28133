import type { SnapshotTaken } from '../contract/changes.ts';
import type { Shadow } from './Shadow.ts';
import { type TreeWish, takeTree } from './takeTree.ts';

const REF_LIMIT_MS = 10_000;
export const REFS = 'refs/hansard';
/** Limit for one conversation, some 500 turns. Beyond it the oldest snapshot is removed, but never the first. */
export const MAX_REFS = 1_000;
/** A conversation's id must match this to be part of a ref's name. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export interface SnapshotWish extends TreeWish {
  readonly conversationId: string;
  readonly n: number;
  /** The previous snapshot in the same repository. If the files are the same, its commit is used again. */
  readonly before: SnapshotTaken | null;
}

export function refOf(conversationId: string, n: number): string {
  if (!SAFE_ID.test(conversationId)) throw new Error(`"${conversationId}" cannot be part of a ref`);
  return `${REFS}/${conversationId}/${n}`;
}

/** Stores the work tree as a commit without a parent. Our ref keeps `git gc` from removing it. Rejects as `takeTree` does. */
export async function takeSnapshot(shadow: Shadow, wish: SnapshotWish): Promise<SnapshotTaken> {
  const { conversationId, n, before } = wish;
  const { tree, leftOut, ignored } = await takeTree(shadow, wish);
  const facts = { tree, leftOut: [...leftOut], ignored: [...ignored] };
  const ref = refOf(conversationId, n);
  const message = `Hansard snapshot ${n} of conversation ${conversationId}`;
  const commit =
    before?.tree === tree
      ? before.commit
      : (await shadow.run(['commit-tree', tree, '-m', message], REF_LIMIT_MS)).toString().trim();
  await shadow.runInRepository(['update-ref', ref, commit], REF_LIMIT_MS);
  if (n > MAX_REFS) await dropRef(shadow, refOf(conversationId, n - MAX_REFS + 1));
  return { ...facts, commit };
}

/** Removes the ref, so that `git gc` can remove the snapshot. */
async function dropRef(shadow: Shadow, ref: string): Promise<void> {
  const isThere = await shadow.runInRepository(['rev-parse', '--verify', '--quiet', ref], REF_LIMIT_MS).then(
    () => true,
    () => false, // the ref was removed by hand
  );
  if (isThere) await shadow.runInRepository(['update-ref', '-d', ref], REF_LIMIT_MS);
}
