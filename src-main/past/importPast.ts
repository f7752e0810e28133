import type { PastImportReport } from '../contract/past.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import { PAST_AGENTS } from './agents/all.ts';
import type { PastAgent } from './agents/PastAgent.ts';
import { findSources, type PastSource, type Where } from './findSources.ts';
import { ImportBatches } from './ImportBatches.ts';
import { type Piece, readLineLog, type SourceRow } from './readLineLog.ts';
import { readWholeLog } from './readWholeLog.ts';

/** The report names at most this many files that could not be read. */
const MAX_NAMED = 50;

export interface ImportWish extends Where {
  /** False: the import counts conversations and stores no text. */
  readonly keepsText: boolean;
  readonly agents?: readonly PastAgent[];
}

/**
 * Imports everything new in the agent logs into the file. Yields a report after each piece of work, some ten milliseconds each; the last report is
 * complete. It only reads the logs. The report names logs that cannot be read, and the import continues. After an abort, the next import continues.
 * The file is in a transaction between two reports, in which only the caller's own thread may use it.
 */
export function* importPast(
  file: PastFile,
  { keepsText, agents = PAST_AGENTS, ...where }: ImportWish,
): Generator<PastImportReport> {
  const found = findSources(agents, where);
  const started = performance.now();
  const unread = found.refused.slice(0, MAX_NAMED);
  const isNew = found.sources.filter((source) => !isRead(file, source));
  const allBytes = isNew.reduce((bytes, { size }) => bytes + size, 0);
  const batches = new ImportBatches(file);
  let files = 0;
  const report = (): PastImportReport => ({
    ...{ ...batches.sum, files, allBytes, allFiles: found.sources.length },
    ...{ ms: Math.round(performance.now() - started), unread, agents: [] },
  });
  const refuse = (error: unknown, paths: Iterable<string>): void => {
    const reason = error instanceof Error ? error.message : String(error);
    for (const line of [...paths].map((path) => `${path}: ${reason}`))
      if (unread.length < MAX_NAMED && !unread.includes(line)) unread.push(line); // some are tried twice
  };
  function* take(source: PastSource): Generator<PastImportReport> {
    batches.open(source.path);
    for (const piece of read(file, source, keepsText)) {
      batches.add(piece);
      yield report();
      batches.open(source.path);
    }
  }
  /** Logs of lost transactions: each is tried again in its own, so that one bad log costs no other. */
  const again = new Set<string>();
  yield report();
  try {
    for (const source of isNew) {
      files += 1;
      try {
        yield* take(source);
      } catch (error) {
        const lost = batches.takeLost();
        if (lost.length === 0) refuse(error, [source.path]);
        else for (const path of [...lost, source.path]) again.add(path);
      }
    }
    commitOr(batches, (lost) => {
      for (const path of lost) again.add(path);
    });
    for (const source of isNew.filter(({ path }) => again.has(path))) {
      try {
        yield* take(source);
        batches.commit();
      } catch (error) {
        refuse(error, new Set([...batches.takeLost(), source.path]));
      }
    }
  } finally {
    commitOr(batches, (lost, error) => refuse(error, lost));
  }
  yield { ...report(), agents: perAgent(file) };
}

function commitOr(batches: ImportBatches, lose: (lost: readonly string[], error: unknown) => void): void {
  try {
    batches.commit();
  } catch (error) {
    lose(batches.takeLost(), error);
  }
}

function read(file: PastFile, source: PastSource, keepsText: boolean): Generator<Piece> {
  const { log } = source;
  const row = rowOf(file, source);
  return log.form === 'lines'
    ? readLineLog({ file, source: { ...source, log }, row, keepsText })
    : readWholeLog({ file, source: { ...source, log }, row, keepsText });
}

function isRead(file: PastFile, { path, size, mtimeMs }: PastSource): boolean {
  return (
    file.get('SELECT 1 FROM sources WHERE path = ? AND size = ? AND mtime_ms = ?', path, size, mtimeMs) !== undefined
  );
}

function rowOf(file: PastFile, { agent, path }: PastSource): SourceRow {
  file.run('INSERT OR IGNORE INTO sources (agent, path) VALUES (?, ?)', agent.agent, path);
  const sql =
    'SELECT num, inode, size, mtime_ms AS mtimeMs, offset, mark, state, bad_lines AS badLines FROM sources WHERE path = ?';
  const row = file.get<SourceRow>(sql, path);
  if (!row) throw new Error('the source was not written');
  return row;
}

function perAgent(file: PastFile): PastImportReport['agents'] {
  return file.all(
    `SELECT agent, count(*) AS conversations, sum(messages) AS messages, sum(covered = messages) AS recorded
     FROM conversations GROUP BY agent ORDER BY agent`,
  );
}
