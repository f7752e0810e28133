import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { waitMs } from '../../util/waitMs.ts';
import { asDiskError, NOFOLLOW } from '../files/Disk.ts';
import { isAlive, type ProcessIdentity, processStart } from '../files/processIdentity.ts';
import { readSmallNow } from '../files/readPiece.ts';
import { sweepTemporaries, temporaryName } from '../files/sweepTemporaries.ts';

/** How the running core can be reached. */
export const CoreInfo = z.object({ socketPath: z.optional(z.string()), url: z.optional(z.string()) });
export type CoreInfo = z.infer<typeof CoreInfo>;

const LockBody = z.object({
  pid: z.int().check(z.positive()),
  /** The value of `ProcessIdentity.start`. */
  start: z.string(),
  startedMs: z.number(),
  info: z._default(CoreInfo, {}),
});
export type LockBody = z.infer<typeof LockBody>;

export interface HeldLock {
  ok: true;
  /** Writes into the lock how others reach this core. Throws errors of the disk. */
  publish(info: CoreInfo): void;
  /** Releases the lock. May be called more than once. */
  release(): void;
}
export interface RefusedLock {
  ok: false;
  pid: number;
  startedMs: number;
  info: CoreInfo;
}

const PRIVATE_FILE = 0o600;
/** A take-over lasts some milliseconds; after a second, the claimer is reported as the owner. */
const TRIES = 200;
const TRY_EVERY_MS = 5;

/**
 * Acquires the lock of a data folder (`core.lock` in it) for this process, or returns its owner.
 *
 * The lock appears with its whole content at once (`link` of a finished file, which refuses to replace). A process may take
 * over the lock of a dead process X. It first creates `core.lock.after-X`, which only one process can, then checks that
 * the lock is still X's, then renames its claim over the lock. The claim of a dead claimer is taken over in the same way.
 * So two starting processes never both get the lock, even if any of them is killed at any moment.
 * Throws if the disk cannot hold a lock at all. Waits at most a second, and only while another process takes over.
 */
export function acquireLock(dataFolder: string, info: CoreInfo = {}): HeldLock | RefusedLock {
  const path = lockPath(dataFolder);
  const own: LockBody = { pid: process.pid, start: processStart(process.pid) ?? '', startedMs: Date.now(), info };
  let owner: LockBody | null = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (attempt > 0) waitMs(TRY_EVERY_MS);
    if (claim(path, own)) return hold(path, own);
    owner = readLockFile(path);
    if (!owner) continue; // released meanwhile
    if (isAlive(owner)) return { ok: false, pid: owner.pid, startedMs: owner.startedMs, info: owner.info };
    if (succeed(path, owner, own)) return hold(path, own);
  }
  throw new Error(`${path} could not be taken over within a second (last held by process ${owner?.pid ?? 'unknown'})`);
}

/** Returns the owner of the lock without trying to acquire it; null if there is none. */
export function readLock(dataFolder: string): RefusedLock | null {
  const owner = readLockFile(lockPath(dataFolder));
  return owner && isAlive(owner) ? { ok: false, pid: owner.pid, startedMs: owner.startedMs, info: owner.info } : null;
}

export function lockPath(dataFolder: string): string {
  return join(dataFolder, 'core.lock');
}

function hold(path: string, own: LockBody): HeldLock {
  sweepTemporaries(dirname(path));
  let isReleased = false;
  const isOurs = (): boolean => {
    const now = isReleased ? null : readLockFile(path);
    return now !== null && isSame(now, own);
  };
  return {
    ok: true,
    publish(info) {
      if (!isOurs()) throw new Error(`${path} is no longer ours`);
      const temporary = writeTemporary(path, { ...own, info });
      renameSync(temporary, path);
    },
    release() {
      if (isOurs()) unlinkSync(path);
      isReleased = true;
    },
  };
}

/** Replaces the dead process's lock at `path` with ours. False if something changed meanwhile: the caller tries again. */
export function succeed(path: string, dead: LockBody, own: LockBody): boolean {
  const claimPath = `${path}.after-${dead.pid}-${dead.start.replace(/[^A-Za-z0-9]/g, '_')}`;
  if (!claim(claimPath, own)) {
    const other = readLockFile(claimPath);
    if (!other || isAlive(other) || !succeed(claimPath, other, own)) return false;
  }
  // From here on, no other process may touch the dead one's lock.
  const now = readLockFile(path);
  if (now && isSame(now, dead)) {
    renameSync(claimPath, path);
    return true;
  }
  rmSync(claimPath, { force: true });
  return false;
}

/** Creates `path` with our body, unless it exists. On a full disk it is a link, which needs no space: the terminal must start. */
function claim(path: string, own: LockBody): boolean {
  try {
    claimByFile(path, own);
    return true;
  } catch (thrown) {
    const { code } = asDiskError(thrown);
    if (code === 'EEXIST') return false;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw thrown;
  }
  try {
    symlinkSync([LINK, own.pid, own.start, own.startedMs].join(' '), path);
    return true;
  } catch (thrown) {
    if (asDiskError(thrown).code === 'EEXIST') return false;
    throw thrown;
  }
}

/** First word of a lock in a link's target; pid, start and startedMs follow. Short enough to need no disk block. */
const LINK = 'core';

function claimByFile(path: string, own: LockBody): void {
  const temporary = writeTemporary(path, own);
  try {
    linkSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Throws the disk's errno error. */
function writeTemporary(path: string, body: LockBody): string {
  const temporary = temporaryName(path);
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NOFOLLOW, PRIVATE_FILE);
  try {
    writeFileSync(fd, `${JSON.stringify(body)}\n`);
    return temporary;
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  } finally {
    closeSync(fd);
  }
}

/** Null if there is no file. A file that is not one of our locks counts as the lock of a dead process. */
function readLockFile(path: string): LockBody | null {
  try {
    const parsed = LockBody.safeParse(readLink(path) ?? JSON.parse(readSmallNow(path)));
    return parsed.success ? parsed.data : UNREADABLE;
  } catch (thrown) {
    return asDiskError(thrown).code === 'ENOENT' ? null : UNREADABLE;
  }
}

/** Reads a lock from a link's target; null if `path` is not a link. Throws ENOENT if nothing is there. */
function readLink(path: string): unknown {
  if (!lstatSync(path).isSymbolicLink()) return null;
  const [word, pid, start, startedMs] = readlinkSync(path).split(' ');
  return word === LINK ? { pid: Number(pid), start, startedMs: Number(startedMs) } : {};
}

/** No process has this number, so `isAlive` returns false for it. */
const UNREADABLE: LockBody = { pid: 2 ** 31 - 1, start: 'unreadable', startedMs: 0, info: {} };

function isSame(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.start === b.start;
}
