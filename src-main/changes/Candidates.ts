import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import type { LeftOut } from '../contract/changes.ts';
import { toBytes, toText } from './pathBytes.ts';

export interface SnapshotLimits {
  /** A larger file is left out and named. */
  readonly fileBytes: number;
  /** No snapshot is taken of more untracked files, or of more bytes of them, because they would fill the repository. */
  readonly untrackedFiles: number;
  readonly untrackedBytes: number;
  /** Time limit of one snapshot. */
  readonly timeMs: number;
}

/** People rarely write more by hand, and a disk of this decade reads this much in seconds. */
export const SNAPSHOT_LIMITS: SnapshotLimits = {
  fileBytes: 10 * 1024 * 1024,
  untrackedFiles: 20_000,
  untrackedBytes: 256 * 1024 * 1024,
  timeMs: 60_000,
};

/** Limits one call of git, so that what it read is kept when a later call is too slow. */
const MAX_CHUNK_FILES = 5_000;
const MAX_CHUNK_BYTES = 128 * 1024 * 1024;
/** This many files are examined at a time. */
const WIDTH = 32;

/** Says what a snapshot does with the files that differ from its index. Paths are as in pathBytes.ts. */
export interface Candidates {
  /** Files that git must read again or remove, in pieces for one call of git each. */
  readonly chunks: readonly (readonly string[])[];
  /** Repositories inside the work tree. Git reads each in a separate call. */
  readonly nested: readonly string[];
  readonly leftOut: readonly (LeftOut & { readonly raw: string })[];
  readonly bytes: number;
}

interface Seen {
  readonly raw: string;
  readonly kind: 'file' | 'folder';
  readonly bytes: number;
  readonly leftOut: LeftOut | null;
}

/** Examines each file. A deleted path is a candidate too, because git removes it from the index. */
export async function findCandidates(root: Buffer, paths: readonly string[], maxBytes: number): Promise<Candidates> {
  const seen: Seen[] = [];
  for (let at = 0; at < paths.length; at += WIDTH) {
    const some = paths.slice(at, at + WIDTH);
    seen.push(...(await Promise.all(some.map((raw) => look(root, raw, maxBytes)))));
  }
  const kept = seen.filter(({ leftOut }) => leftOut === null);
  return {
    chunks: chunksOf(kept.filter(({ kind }) => kind === 'file')),
    nested: kept.filter(({ kind }) => kind === 'folder').map(({ raw }) => raw.replace(/\/$/, '')),
    leftOut: seen.flatMap(({ raw, leftOut }) => (leftOut ? [{ ...leftOut, raw }] : [])),
    bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

async function look(root: Buffer, raw: string, maxBytes: number): Promise<Seen> {
  const full = Buffer.concat([root, Buffer.from('/'), toBytes(raw)]);
  const found = await lstat(full).catch(() => null); // the file was deleted
  if (found === null) return { raw, kind: 'file', bytes: 0, leftOut: null };
  if (found.isDirectory()) return { raw, kind: 'folder', bytes: 0, leftOut: null };
  if (!found.isFile()) return { raw, kind: 'file', bytes: 0, leftOut: null };
  const facts = { path: toText(raw), bytes: found.size, changedMs: found.mtimeMs };
  if (found.size > maxBytes) return { raw, kind: 'file', bytes: 0, leftOut: { ...facts, why: 'large' } };
  const canRead = await access(full, constants.R_OK).then(
    () => true,
    () => false,
  );
  return { raw, kind: 'file', bytes: found.size, leftOut: canRead ? null : { ...facts, why: 'unreadable' } };
}

function chunksOf(files: readonly Seen[]): string[][] {
  const chunks: string[][] = [];
  let current: string[] = [];
  let bytes = 0;
  for (const file of files) {
    if (current.length >= MAX_CHUNK_FILES || (current.length > 0 && bytes + file.bytes > MAX_CHUNK_BYTES)) {
      chunks.push(current);
      current = [];
      bytes = 0;
    }
    current.push(file.raw);
    bytes += file.bytes;
  }
  return current.length > 0 ? [...chunks, current] : chunks;
}
