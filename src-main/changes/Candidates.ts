import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import type { LeftOut } from '../contract/changes.ts';
import { toBytes, toText } from './pathBytes.ts';

export interface SnapshotLimits {
  /** A larger file is left out and named. */
  readonly fileBytes: number;
  /** More untracked files, or more bytes of them, are no snapshot: they would fill the repository. */
  readonly untrackedFiles: number;
  readonly untrackedBytes: number;
  /** For all of a snapshot. */
  readonly timeMs: number;
}

/** Sizes of what people write by hand, and of what a disk of this decade reads in seconds. */
export const SNAPSHOT_LIMITS: SnapshotLimits = {
  fileBytes: 10 * 1024 * 1024,
  untrackedFiles: 20_000,
  untrackedBytes: 256 * 1024 * 1024,
  timeMs: 60_000,
};

/** Files in one call of git: what was read stays read when a later call is too slow. */
const MAX_CHUNK_FILES = 5_000;
const MAX_CHUNK_BYTES = 128 * 1024 * 1024;
/** Files looked at at once. */
const WIDTH = 32;

/** What a snapshot does with the files that differ from its index. Paths as in pathBytes.ts. */
export interface Candidates {
  /** Files to read again, or that are gone, in pieces that one call of git takes. */
  readonly chunks: readonly (readonly string[])[];
  /** Repositories within, each to be read by a call of its own. */
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

/** Looks at each file. A path that is gone is a candidate too: git removes it from the index. */
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
  const found = await lstat(full).catch(() => null); // gone
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
