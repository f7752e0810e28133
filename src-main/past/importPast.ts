import type { PastImportReport } from '../contract/past.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import { PAST_AGENTS } from './agents/all.ts';
import type { PastAgent } from './agents/PastAgent.ts';
import { findSources, type PastSource, type Where } from './findSources.ts';
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
 */
export function* importPast(
  file: PastFile,
  { keepsText, agents = PAST_AGENTS, ...where }: ImportWish,
): Generator<PastImportReport> {
  const found = findSources(agents, where);
  const started = performance.now();
  const sum = { files: 0, bytes: 0, conversations: 0, messages: 0, copies: 0, badLines: 0 };
  const unread = found.refused.slice(0, MAX_NAMED);
  const isNew = found.sources.filter((source) => !isRead(file, source));
  const allBytes = isNew.reduce((bytes, { size }) => bytes + size, 0);
  const report = (): PastImportReport => ({
    ...sum,
    allBytes,
    allFiles: found.sources.length,
    ...{ ms: Math.round(performance.now() - started), unread, agents: [] },
  });
  yield report();
  for (const source of isNew) {
    sum.files += 1;
    try {
      for (const piece of read(file, source, keepsText)) {
        for (const key of ['bytes', 'conversations', 'messages', 'copies', 'badLines'] as const) sum[key] += piece[key];
        yield report();
      }
    } catch (error) {
      if (unread.length < MAX_NAMED) unread.push(`${source.path}: ${error instanceof Error ? error.message : error}`);
    }
  }
  yield { ...report(), agents: perAgent(file) };
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
