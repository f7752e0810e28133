import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LogPlace } from '../conversations/extraction/reconcile/LogMessage.ts';
import type { LineLog, PastAgent, WholeLog } from './agents/PastAgent.ts';

/** The walk reads at most this many entries of folders for one agent. Years of work have fewer. */
const MAX_ENTRIES = 500_000;

/** A file in which an agent keeps conversations. */
export interface PastSource {
  readonly agent: PastAgent;
  readonly log: LineLog | WholeLog;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface FoundSources {
  /** Ordered by the time of the last write, so that an original comes before its copies; side logs come last. */
  readonly sources: PastSource[];
  /** The files that were left out, as `path: reason`. */
  readonly refused: string[];
}

export interface Where {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of agents; absent: all. */
  readonly only?: readonly string[] | undefined;
  /** Finds only files that were written since this time, ms since 1970. */
  readonly sinceMs?: number | undefined;
}

/**
 * Finds the files in which agents keep their conversations. The folder of an agent may be a link, because people do that. Links in it are left out,
 * so that the walk cannot loop. Files of other users are left out.
 */
export function findSources(agents: readonly PastAgent[], { home, env, only, sinceMs = 0 }: Where): FoundSources {
  const found: FoundSources = { sources: [], refused: [] };
  for (const agent of agents) {
    if (only && !only.includes(agent.agent)) continue;
    for (const { places, log } of agent.logs) {
      const take = (path: string): void => takeFile({ agent, log, path }, found);
      for (const place of places({ home, env })) walkPlace(place, take, found);
    }
  }
  const recent = found.sources.filter(({ mtimeMs }) => mtimeMs >= sinceMs).sort((a, b) => a.mtimeMs - b.mtimeMs);
  const isSide = ({ log }: PastSource): boolean => log.form === 'lines' && log.isSide === true;
  return {
    sources: [...recent.filter((one) => !isSide(one)), ...recent.filter(isSide)],
    refused: [...new Set(found.refused)], // a folder of several kinds of logs is walked for each
  };
}

function walkPlace({ folder, path }: LogPlace, take: (path: string) => void, found: FoundSources): void {
  const budget = { entries: MAX_ENTRIES };
  const walk = (at: string, [pattern, ...rest]: readonly RegExp[]): void => {
    for (const entry of entriesOf(at)) {
      if (budget.entries-- <= 0) return;
      if (!pattern?.test(entry.name)) continue;
      const here = join(at, entry.name);
      if (entry.isSymbolicLink()) found.refused.push(`${here}: a link`);
      else if (rest.length > 0 && entry.isDirectory()) walk(here, rest);
      else if (rest.length === 0 && entry.isFile()) take(here);
    }
  };
  try {
    walk(realpathSync(folder), path);
  } catch {
    return; // the agent has no logs there
  }
  if (budget.entries <= 0) found.refused.push(`${folder}: more than ${MAX_ENTRIES} entries; the rest is left out`);
}

function takeFile(file: Pick<PastSource, 'agent' | 'log' | 'path'>, { sources, refused }: FoundSources): void {
  try {
    const stat = lstatSync(file.path);
    if (isForeign(stat)) return void refused.push(`${file.path}: belongs to another user`);
    const besides = file.log.form === 'whole' ? (file.log.besides?.(file.path) ?? []) : [];
    const all = [stat, ...besides.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? [])];
    const size = all.reduce((sum, one) => sum + one.size, 0);
    sources.push({ ...file, size, mtimeMs: Math.max(...all.map(({ mtimeMs }) => mtimeMs)) });
  } catch {
    return; // the file was deleted after it was listed
  }
}

function isForeign({ uid }: Stats): boolean {
  const own = process.geteuid?.();
  return own !== undefined && uid !== own;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // the folder is gone or cannot be read
  }
}
