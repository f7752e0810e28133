import type { SnapshotTaken } from '../contract/changes.ts';
import type { Shadow } from './Shadow.ts';
import { type TreeWish, takeTree } from './takeTree.ts';

const REF_LIMIT_MS = 10_000;
export const REFS = 'refs/hansard';
/** Of one conversation; beyond it the oldest but the first goes. Some 500 turns. */
export const MAX_REFS = 1_000;
/** What a conversation's id may be within the name of a ref. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export interface SnapshotWish extends TreeWish {
  readonly conversationId: string;
  readonly n: number;
  /** The snapshot before it, in the same repository: with the same files its commit is used again. */
  readonly before: SnapshotTaken | null;
}

export function refOf(conversationId: string, n: number): string {
  if (!SAFE_ID.test(conversationId)) throw new Error(`"${conversationId}" cannot be part of a ref`);
  return `${REFS}/${conversationId}/${n}`;
}

/** Takes the work tree as a commit without a parent, which a ref of ours keeps from being collected. Rejects as `takeTree` does. */
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

/** Git collects the snapshot once nothing else holds it. */
async function dropRef(shadow: Shadow, ref: string): Promise<void> {
  const isThere = await shadow.runInRepository(['rev-parse', '--verify', '--quiet', ref], REF_LIMIT_MS).then(
    () => true,
    () => false, // it was removed by hand
  );
  if (isThere) await shadow.runInRepository(['update-ref', '-d', ref], REF_LIMIT_MS);
}
