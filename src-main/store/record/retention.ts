import { open, stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { TerminalId } from '../../contract/ids.ts';
import type { Settings } from '../../contract/settings.ts';
import { TerminalMeta } from '../../contract/terminal.ts';
import { asDiskError } from '../files/Disk.ts';
import { type ReadFault, readFaultOf } from '../files/readFault.ts';
import { readLines } from '../files/readJsonLines.ts';
import { readSmall } from '../files/readPiece.ts';
import { weigh } from '../files/weigh.ts';
import { livingWriter } from '../instance/writerMark.ts';
import { SessionFolder } from './SessionFolder.ts';
import { adoptRemoving, type MoveFailure, moveToTrash } from './trash.ts';

export interface RetentionSettings {
  /** In counted days (dayLedger.ts). */
  maxUnusedDays: number;
  maxBytes: number;
}

/** The person's settings; 0 means no limit. */
export type RetentionLimits = Pick<Settings, 'retention.days' | 'retention.bytes'>;

export function retentionOf(settings: RetentionLimits): RetentionSettings {
  const { 'retention.days': days, 'retention.bytes': bytes } = settings;
  return { maxUnusedDays: days > 0 ? days : Infinity, maxBytes: bytes > 0 ? bytes : Infinity };
}

/** One recorded terminal, as retention sees it. */
export interface RetentionEntry {
  id: TerminalId;
  bytes: number;
  /** Modification time of its newest file. */
  lastUsedMs: number;
  /** In a tab, running or not, or written by `hansard record`. */
  isOpen: boolean;
  /** It has a bookmarked block, was exported, or cannot be read. */
  isKept: boolean;
  /** The part that cannot be read. */
  fault: ReadFault | null;
}

export interface Removal {
  id: TerminalId;
  bytes: number;
  why: 'age' | 'size';
}

/** Share of the closed terminals that one unattended run may remove; at least one terminal. */
const RUN_SHARE = 0.05;

export interface RetentionPlan {
  removals: Removal[];
  /** Terminals beyond the limits that wait for a later run. */
  waiting: number;
}

/**
 * Chooses the terminals to remove: those unused for more than `maxUnusedDays`, then the longest unused until the rest fits into
 * `maxBytes`. Open and kept terminals stay, even if they alone exceed the limit. An unattended run removes at most 5 % of the
 * closed terminals, and at least one.
 */
export function planRetention(
  entries: readonly RetentionEntry[],
  settings: RetentionSettings,
  { unusedDays, isAsked }: { unusedDays: (entry: RetentionEntry) => number; isAsked: boolean },
): RetentionPlan {
  const beyond: Removal[] = [];
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const closed = entries.filter(({ isOpen }) => !isOpen);
  const oldestFirst = closed
    .filter(({ isKept }) => !isKept)
    .map((entry) => ({ ...entry, days: unusedDays(entry) }))
    .sort((a, b) => b.days - a.days || a.lastUsedMs - b.lastUsedMs);
  for (const { id, bytes, days } of oldestFirst) {
    const isOld = days > settings.maxUnusedDays;
    if (!isOld && total <= settings.maxBytes) break; // the remaining terminals are more recent
    beyond.push({ id, bytes, why: isOld ? 'age' : 'size' });
    total -= bytes;
  }
  const most = isAsked ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(closed.length * RUN_SHARE));
  const removals = beyond.slice(0, most);
  return { removals, waiting: beyond.length - removals.length };
}

/** Examines every recorded terminal. `openIds` are those in a tab. */
export async function surveyRecord(dataFolder: string, openIds: ReadonlySet<TerminalId>): Promise<RetentionEntry[]> {
  const entries: RetentionEntry[] = [];
  for (const id of SessionFolder.list(dataFolder)) {
    const folder = new SessionFolder(dataFolder, id);
    const isOpen = openIds.has(id) || livingWriter(folder) !== null;
    entries.push({ id, isOpen, ...(await survey(folder, isOpen)) });
  }
  return entries;
}

/** Keeps a terminal that cannot be read: only removing it would lose its content. */
async function survey(
  folder: SessionFolder,
  isOpen: boolean,
): Promise<Pick<RetentionEntry, 'bytes' | 'lastUsedMs' | 'isKept' | 'fault'>> {
  let weight = { bytes: 0, lastUsedMs: 0 };
  try {
    weight = await weigh(folder.root);
    const isKept = !isOpen && ((await wasExported(folder)) || (await hasBookmark(folder.blocksJsonl)));
    return { ...weight, isKept, fault: null };
  } catch (error) {
    const fault = readFaultOf(error, folder.root);
    if (!fault) throw error;
    return { ...weight, isKept: true, fault };
  }
}

export interface PruneReport {
  /** Terminals that are now in the trash. */
  removed: Removal[];
  failed: MoveFailure[];
}

/**
 * Moves the planned removals to the trash of the counted day `day`. Calls `isOpen` right before each move: a tab may have opened
 * the terminal since.
 */
export async function prune(
  dataFolder: string,
  plan: { removals: readonly Removal[]; day: number },
  isOpen: (id: TerminalId) => boolean = () => false,
): Promise<PruneReport> {
  const report: PruneReport = { removed: [], failed: await adoptRemoving(dataFolder, plan.day) };
  for (const removal of plan.removals) {
    if (isOpen(removal.id)) continue;
    try {
      await moveToTrash(dataFolder, removal.id, plan.day);
      report.removed.push(removal);
    } catch (thrown) {
      report.failed.push({ id: removal.id, reason: asDiskError(thrown).reason });
    }
  }
  return report;
}

/** Makes retention keep the terminal. Rejects with errors of the disk. */
export async function markExported(folder: SessionFolder): Promise<void> {
  if (!(await wasExported(folder))) await (await open(folder.exportedMark, 'a', 0o600)).close();
}

async function wasExported({ exportedMark }: SessionFolder): Promise<boolean> {
  return (await stat(exportedMark).catch(() => null)) !== null; // missing: never exported
}

/** The terminal's label: its name, title, folder or id, whichever comes first. */
export async function titleOf({ meta, id }: Pick<SessionFolder, 'meta' | 'id'>): Promise<string> {
  try {
    const { name, title, cwd } = TerminalMeta.parse(JSON.parse(await readSmall(meta)));
    return name || title || cwd || id;
  } catch {
    return id; // meta.json is missing or damaged
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
      continue; // a damaged line has no bookmark
    }
    const { data } = Marked.safeParse(json);
    if (data?.bookmarked) marked.add(data.id);
    else if (data) marked.delete(data.id);
  }
  return marked.size > 0;
}
