import { lstat } from 'node:fs/promises';
import type { RestoreVerdict, SnapshotLine } from '../contract/changes.ts';
import { toBytes, toText } from './pathBytes.ts';
import { entryIn, RestoreFault, restoreFile } from './restoreFile.ts';
import type { Shadow } from './Shadow.ts';

export interface RestoreWish {
  shadow(): Promise<Shadow>;
  /** Takes a snapshot that includes the paths, even if git ignores them. */
  keep(also: readonly string[]): Promise<Pick<SnapshotLine, 'n' | 'taken' | 'fault'>>;
  /** The snapshot before the turn. */
  readonly commit: string;
  /** When it was taken, ms since 1970. */
  readonly atMs: number;
  /** The file, and its path before the turn if it was renamed. Paths are as in pathBytes.ts. */
  readonly path: string;
  readonly earlier: string;
}

/** Restores a file, and for a renamed file its earlier path too. It writes only after a snapshot holds what is replaced. */
export async function restoreChanged(wish: RestoreWish): Promise<RestoreVerdict> {
  const { commit, path, earlier, atMs } = wish;
  const paths = [...new Set([earlier, path])];
  const kept = await wish.keep(paths);
  if (!kept.taken) return { ok: false, reason: `no snapshot could be taken before (${kept.fault?.detail ?? ''})` };
  const lost = kept.taken.leftOut.find((one) => paths.map(toText).includes(one.path));
  if (lost)
    return { ok: false, reason: `a snapshot cannot hold ${lost.path} as it is now: it is too large or unreadable` };
  try {
    const shadow = await wish.shadow();
    const isAbsent = (await entryIn(shadow, commit, path)) === null;
    const isOlder = isAbsent && (await wasThere(shadow, path, atMs));
    if (isOlder && earlier === path)
      return { ok: false, reason: 'it was there before the turn, and git ignored it: no snapshot holds how it was' };
    const isRemoved = await restoreFile(shadow, commit, earlier);
    if (earlier !== path && isAbsent && !isOlder) await restoreFile(shadow, commit, path);
    return { ok: true, snapshot: kept.n, isRemoved };
  } catch (error) {
    if (error instanceof RestoreFault) return { ok: false, reason: error.message };
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Returns whether a file that is not in the snapshot existed when it was taken, for example as an ignored file. Such a file must not be
 * removed. `atMs` has no fractions and the file system's clock is up to 10 ms behind, so a file created in that millisecond counts as existing.
 */
async function wasThere(shadow: Shadow, path: string, atMs: number): Promise<boolean> {
  const full = Buffer.concat([Buffer.from(`${shadow.tree.root}/`), toBytes(path)]);
  const found = await lstat(full).catch(() => null); // it was removed
  return found !== null && found.birthtimeMs > 0 && Math.floor(found.birthtimeMs) <= atMs;
}
