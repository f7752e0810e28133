import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { TerminalId } from '../contract/ids.ts';
import type { Settings } from '../contract/settings.ts';
import { TerminalMeta } from '../contract/terminal.ts';
import { asDiskError } from './Disk.ts';
import { readLines } from './readJsonLines.ts';
import { SessionFolder, terminalsFolder } from './SessionFolder.ts';
import { livingWriter } from './writerMark.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface RetentionSettings {
  maxAgeMs: number;
  maxBytes: number;
}
/** architecture.md, "Files of the record". */
export const DEFAULT_RETENTION: RetentionSettings = { maxAgeMs: 30 * DAY_MS, maxBytes: 10 * 1024 ** 3 };

/** As a person sets them; 0 is no limit. */
export type RetentionLimits = Pick<Settings, 'retention.days' | 'retention.bytes'>;

export function retentionOf(settings: RetentionLimits): RetentionSettings {
  const { 'retention.days': days, 'retention.bytes': bytes } = settings;
  return { maxAgeMs: days > 0 ? days * DAY_MS : Infinity, maxBytes: bytes > 0 ? bytes : Infinity };
}

/** One recorded terminal, as retention sees it. */
export interface RetentionEntry {
  id: TerminalId;
  bytes: number;
  /** When its newest file was written. */
  lastUsedMs: number;
  /** Open in a tab, running or not, or written by a `hansard record`. */
  isOpen: boolean;
  /** Holds a bookmarked block, or something of it was exported. */
  isKept: boolean;
}

export interface Removal {
  id: TerminalId;
  bytes: number;
  why: 'age' | 'size';
}

/**
 * Which terminals to remove: those unused for longer than `maxAgeMs`, then the longest unused until the rest fits into
 * `maxBytes`. What is open or kept stays, even when that alone is too much.
 */
export function planRetention(
  entries: readonly RetentionEntry[],
  settings: RetentionSettings,
  nowMs: number,
): Removal[] {
  const removals: Removal[] = [];
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const oldestFirst = entries
    .filter(({ isOpen, isKept }) => !isOpen && !isKept)
    .sort((a, b) => a.lastUsedMs - b.lastUsedMs);
  for (const { id, bytes, lastUsedMs } of oldestFirst) {
    const isOld = nowMs - lastUsedMs > settings.maxAgeMs;
    if (!isOld && total <= settings.maxBytes) break; // the others are younger still
    removals.push({ id, bytes, why: isOld ? 'age' : 'size' });
    total -= bytes;
  }
  return removals;
}

/** Looks at every recorded terminal. `openIds` are those in a tab. */
export async function surveyRecord(dataFolder: string, openIds: ReadonlySet<TerminalId>): Promise<RetentionEntry[]> {
  const entries: RetentionEntry[] = [];
  for (const id of SessionFolder.list(dataFolder)) {
    const folder = new SessionFolder(dataFolder, id);
    const isOpen = openIds.has(id) || livingWriter(folder) !== null;
    entries.push({
      id,
      ...(await weigh(folder.root)),
      isOpen,
      isKept: !isOpen && ((await wasExported(folder)) || (await hasBookmark(folder.blocksJsonl))),
    });
  }
  return entries;
}

export interface PruneReport {
  removed: Removal[];
  failed: { id: TerminalId; reason: string }[];
}

/** Prefix of a folder that is being removed; no id can look like it. */
const REMOVING = '.removing-';

/**
 * Removes what was planned and what an earlier run did not finish. A folder is renamed first, so a terminal is there
 * whole or not at all. `isOpen` is asked right before: a tab may have come since the plan.
 */
export async function prune(
  dataFolder: string,
  plan: readonly Removal[],
  isOpen: (id: TerminalId) => boolean = () => false,
): Promise<PruneReport> {
  const report: PruneReport = { removed: [], failed: [] };
  for (const removal of plan) {
    if (isOpen(removal.id)) continue;
    const { root, id } = new SessionFolder(dataFolder, removal.id);
    try {
      await rename(root, join(terminalsFolder(dataFolder), `${REMOVING}${id}`));
      report.removed.push(removal);
    } catch (thrown) {
      report.failed.push({ id, reason: asDiskError(thrown).reason });
    }
  }
  for (const name of await readdir(terminalsFolder(dataFolder)).catch(() => [])) {
    if (!name.startsWith(REMOVING)) continue;
    try {
      await rm(join(terminalsFolder(dataFolder), name), { recursive: true, force: true });
    } catch (thrown) {
      report.failed.push({ id: name.slice(REMOVING.length), reason: asDiskError(thrown).reason });
    }
  }
  return report;
}

/** Bytes on disk (a hole weighs nothing) and the newest change below `folder`; links are not followed. */
async function weigh(folder: string): Promise<{ bytes: number; lastUsedMs: number }> {
  let bytes = 0;
  let lastUsedMs = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null); // gone since: a temporary file
    if (!found) continue;
    const { blocks, size, mtimeMs } = found;
    bytes += process.platform === 'win32' ? size : blocks * 512;
    lastUsedMs = Math.max(lastUsedMs, mtimeMs);
  }
  return { bytes, lastUsedMs };
}

/** Keeps the terminal from now on. Rejects when the disk refuses. */
export async function markExported({ exportedMark }: SessionFolder): Promise<void> {
  await (await open(exportedMark, 'a', 0o600)).close();
}

async function wasExported({ exportedMark }: SessionFolder): Promise<boolean> {
  return (await stat(exportedMark).catch(() => null)) !== null; // not there: never exported
}

/** What a person would call the terminal: its name, its title, its folder, or its id. */
export async function titleOf(folder: SessionFolder): Promise<string> {
  try {
    const { name, title, cwd } = TerminalMeta.parse(JSON.parse(await readFile(folder.meta, 'utf8')));
    return name || title || cwd || folder.id;
  } catch {
    return folder.id; // a missing or damaged meta.json names nothing
  }
}

const Marked = z.object({ id: z.string(), bookmarked: z.boolean() });
const MARK = '"bookmarked"';

/** Whether the latest version of any block is bookmarked. */
async function hasBookmark(blocksJsonl: string): Promise<boolean> {
  const marked = new Set<string>();
  for await (const { line } of readLines(blocksJsonl)) {
    if (!line?.includes(MARK)) continue;
    let json: unknown;
    try {
      json = JSON.parse(line.toString());
    } catch {
      continue; // a damaged line marks nothing
    }
    const { data } = Marked.safeParse(json);
    if (data?.bookmarked) marked.add(data.id);
    else if (data) marked.delete(data.id);
  }
  return marked.size > 0;
}
