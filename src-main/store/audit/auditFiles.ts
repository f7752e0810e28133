import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AuditCursor, AuditFilter, AuditPage } from '../../contract/mcp/audit.ts';
import { AuditLine } from '../../contract/mcp/audit.ts';
import { asDiskError } from '../files/Disk.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { parseLine, readLines } from '../files/readJsonLines.ts';
import { AuditChain, type AuditLink } from './auditChain.ts';
import type { AuditHead } from './auditHead.ts';

/** Entries read for one page at most, so that a filter that matches few entries blocks no other call. */
const MAX_LOOKED_AT = 20_000;
/** Another process may fill a file and rename it during a read. */
const TRIES = 5;
const FULL = /^audit-(\d{1,15})\.jsonl$/;

/** One file of the audit log. `lastN`: number of its last entry, from its name; null for the file that is still written. */
export interface AuditFile {
  readonly path: string;
  readonly name: string;
  readonly lastN: number | null;
}

/** Path of a full file. */
export function fullAuditPath(path: string, lastN: number): string {
  return join(dirname(path), `audit-${String(lastN).padStart(9, '0')}.jsonl`);
}

/** All files of the audit log whose newest is `path`, oldest first. Includes `path` even if it does not exist. */
export async function listAuditFiles(path: string): Promise<AuditFile[]> {
  const folder = dirname(path);
  const full: { path: string; name: string; lastN: number }[] = [];
  for (const name of await namesIn(folder)) {
    const lastN = FULL.exec(name)?.[1];
    if (lastN !== undefined) full.push({ path: join(folder, name), name, lastN: Number(lastN) });
  }
  full.sort((a, b) => a.lastN - b.lastN);
  return [...full, { path, name: basename(path), lastN: null }];
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return [];
    throw thrown;
  }
}

/** Returns the result of `read`; calls it again if a file was renamed meanwhile. */
export async function onAuditFiles<T>(path: string, read: (files: readonly AuditFile[]) => Promise<T>): Promise<T> {
  let files = await listAuditFiles(path);
  for (let tries = 1; ; tries += 1) {
    const result = await read(files);
    const now = await listAuditFiles(path);
    if (tries === TRIES || namesOf(now) === namesOf(files)) return result;
    files = now;
  }
}

function namesOf(files: readonly AuditFile[]): string {
  return files.map(({ name }) => name).join('/');
}

export interface AuditQuery {
  readonly limit: number;
  readonly before?: AuditCursor | undefined;
  readonly filter?: AuditFilter | undefined;
}

/** The newest matching entries; works without a core too. Skips lines that are not entries; `verifyAudit` reports them. */
export function readAuditPage(path: string, query: AuditQuery): Promise<AuditPage> {
  return onAuditFiles(path, (files) => pageOf(files, query));
}

async function pageOf(files: readonly AuditFile[], { limit, before, filter = {} }: AuditQuery): Promise<AuditPage> {
  const lines: AuditLine[] = [];
  let looked = 0;
  for await (const { entry, at } of entriesBackward(files, before)) {
    if (passes(entry, filter)) lines.push(entry);
    looked += 1;
    if (lines.length >= limit || looked >= MAX_LOOKED_AT) return { lines, next: { n: entry.n, at } };
  }
  return { lines, next: null };
}

/** Yields each entry with the offset of its line in its file, newest first, starting before `before`. */
async function* entriesBackward(
  files: readonly AuditFile[],
  before?: AuditCursor,
): AsyncGenerator<{ entry: AuditLine; at: number }> {
  const newest = before ? files.findIndex(({ lastN }) => lastN === null || lastN >= before.n) : files.length - 1;
  for (let index = newest; index >= 0; index -= 1) {
    const { path = '' } = files[index] ?? {};
    for await (const { line, at } of readLinesBackward(path, index === newest ? before?.at : undefined)) {
      const entry = line === null ? undefined : parseLine(line, (json) => AuditLine.parse(json));
      if (entry) yield { entry, at };
    }
  }
}

export function passes({ client, pty, decision, reads }: AuditLine, filter: AuditFilter): boolean {
  return (
    (filter.client === undefined || filter.client === client) &&
    (filter.pty === undefined || filter.pty === pty) &&
    (filter.decisions === undefined || filter.decisions.includes(decision)) &&
    (filter.reads === undefined || filter.reads === (reads !== null))
  );
}

/** The newest valid entry of all files. */
export async function readLastAuditLine(path: string): Promise<AuditLine | null> {
  const { lines } = await readAuditPage(path, { limit: 1 });
  return lines[0] ?? null;
}

/** The last entry of a file if every line is intact, starting at `first`; otherwise null. */
export async function endOfWhole(path: string, first: AuditHead['first']): Promise<AuditLink | null> {
  const chain = new AuditChain(first);
  for await (const { line, isTorn } of readLines(path)) if (isTorn || chain.read(line).fault) return null;
  return chain.last;
}
