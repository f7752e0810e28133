import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogPlace } from '../extraction/reconcile/LogMessage.ts';

/** Most folder entries that one search reads; a person's logs of years are fewer. */
const MAX_ENTRIES = 20_000;

export interface LogFile {
  readonly path: string;
  /** Last written, ms since 1970. */
  readonly writtenMs: number;
}

/**
 * Lists the files at `places` that were written since `sinceMs`, the newest first, at most `limit`. Does not follow links. Reads folders
 * in descending order of their names, so that the newest of dated folders come first.
 */
export async function listLogs(places: readonly LogPlace[], sinceMs: number, limit: number): Promise<LogFile[]> {
  const budget = { entries: MAX_ENTRIES };
  const found: LogFile[] = [];
  for (const { folder, path } of places) await walk(folder, path, { budget, sinceMs, found });
  return found.sort((a, b) => b.writtenMs - a.writtenMs).slice(0, limit);
}

interface Search {
  readonly budget: { entries: number };
  readonly sinceMs: number;
  readonly found: LogFile[];
}

async function walk(folder: string, [pattern, ...rest]: readonly RegExp[], search: Search): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (search.budget.entries-- <= 0) return;
    if (!pattern?.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (rest.length > 0 && entry.isDirectory()) await walk(path, rest, search);
    if (rest.length > 0 || !entry.isFile()) continue;
    const writtenMs = await lstat(path).then(
      (stat) => stat.mtimeMs,
      () => 0, // gone since it was listed
    );
    if (writtenMs >= search.sinceMs) search.found.push({ path, writtenMs });
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  } catch {
    return []; // the agent keeps no logs there
  }
}
