import type { SQLInputValue } from 'node:sqlite';
import type { SearchQuery } from '../../contract/search.ts';
import type { IndexFile } from './IndexFile.ts';
import { firstKeyOf } from './IndexWriter.ts';
import { type Phrase, toMatch } from './parseWords.ts';

/** Counting stops here; the window shows "1,000 and more". */
export const MAX_TOTAL = 1000;

/** A doc that contains every phrase. */
export interface DocRow {
  key: number;
  terminalId: string;
  id: string;
  isMessage: number;
  atMs: number;
  cmd: string | null;
  cwd: string | null;
  exitCode: number | null;
  status: string | null;
  lineAt: number;
  lineBytes: number;
  outLines: number;
  isLeftOut: number;
}

type Filters = Pick<SearchQuery, 'in' | 'terminalId' | 'without' | 'cwd' | 'sinceMs' | 'untilMs' | 'exit'>;

/** Finds docs by their words. */
export class IndexQuery {
  readonly #index: IndexFile;

  constructor(index: IndexFile) {
    this.#index = index;
  }

  /** Finds docs, newest first, before the number `beforeKey`. */
  find(
    phrases: readonly Phrase[],
    filters: Filters,
    page: { beforeKey?: number | undefined; limit: number },
  ): DocRow[] {
    const { sql, values } = where(phrases, filters, page.beforeKey);
    return this.#index.all<DocRow>(`${COLUMNS} ${sql} ORDER BY w.rowid DESC LIMIT ?`, ...values, page.limit);
  }

  /** Blocks without a known end, whatever their words, newest first: the index does not have the words of their output. */
  running(filters: Filters): DocRow[] {
    const { terms, values } = filterTerms(filters, 'd.key');
    const all = ['d.is_open = 1', 'd.is_message = 0', ...terms].join(' AND ');
    // The index is named, because SQLite would otherwise walk through all docs in the order of their keys.
    const from = 'FROM docs d INDEXED BY docs_open CROSS JOIN terminals t ON t.num = d.terminal';
    return this.#index.all<DocRow>(`${COLUMNS} ${from} WHERE ${all} ORDER BY d.key DESC`, ...values);
  }

  /** Whether `find` would return the doc with this number. */
  finds(phrases: readonly Phrase[], filters: Filters, key: number): boolean {
    const { sql, values } = where(phrases, filters);
    return this.#index.get(`SELECT 1 ${sql} AND w.rowid = ?`, ...values, key) !== undefined;
  }

  /** Number of matching docs, counted up to MAX_TOTAL + 1. */
  count(phrases: readonly Phrase[], filters: Filters): number {
    const { sql, values } = where(phrases, filters);
    const limited = `SELECT 1 ${sql} LIMIT ${MAX_TOTAL + 1}`;
    return this.#index.get<{ count: number }>(`SELECT count(*) AS count FROM (${limited})`, ...values)?.count ?? 0;
  }

  /** Blocks whose start and end alone are indexed, newest first, before the number `beforeKey`. */
  leftOut(filters: Filters, beforeKey: number | undefined): DocRow[] {
    const { terms, values } = filterTerms(filters, 'd.key', beforeKey);
    const all = ['d.is_left_out = 1', ...terms].join(' AND ');
    const from = 'FROM docs d CROSS JOIN terminals t ON t.num = d.terminal';
    return this.#index.all<DocRow>(`${COLUMNS} ${from} WHERE ${all} ORDER BY d.key DESC`, ...values);
  }
}

const COLUMNS = `SELECT d.key, t.id AS terminalId, d.id, d.is_message AS isMessage, d.at_ms AS atMs, d.cmd, d.cwd, d.exit_code AS exitCode,
  d.status, d.line_at AS lineAt, d.line_bytes AS lineBytes, d.out_lines AS outLines, d.is_left_out AS isLeftOut`;

function where(
  phrases: readonly Phrase[],
  filters: Filters,
  beforeKey?: number,
): { sql: string; values: SQLInputValue[] } {
  const { terms, values } = filterTerms(filters, 'w.rowid', beforeKey);
  const all = ['words MATCH ?', ...terms].join(' AND ');
  const sql = `FROM words w CROSS JOIN docs d ON d.key = w.rowid CROSS JOIN terminals t ON t.num = d.terminal WHERE ${all}`;
  return { sql, values: [toMatch(phrases, filters.in), ...values] };
}

/** `key` is the column by which the query finds a doc's number. */
function filterTerms(
  { terminalId, without = [], cwd, sinceMs, untilMs, exit }: Filters,
  key: 'w.rowid' | 'd.key',
  beforeKey?: number,
): { terms: string[]; values: SQLInputValue[] } {
  const terms: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (term: string, ...own: SQLInputValue[]): void => {
    terms.push(term);
    values.push(...own);
  };
  if (beforeKey !== undefined) add(`${key} < ?`, beforeKey);
  // Seconds narrow the search, then milliseconds are compared; docs of a crowded second may spill into the next ones
  if (sinceMs !== undefined) add(`${key} >= ? AND d.at_ms >= ?`, firstKeyOf(sinceMs), sinceMs);
  if (untilMs !== undefined) add(`${key} < ? AND d.at_ms <= ?`, firstKeyOf(untilMs + SPILL_MS), untilMs);
  if (terminalId !== undefined) add('t.id = ?', terminalId);
  if (without.length > 0) add('t.id NOT IN (SELECT value FROM json_each(?))', JSON.stringify(without));
  if (cwd !== undefined) {
    const folder = cwd.replace(/(?<=.)\/+$/, '');
    const inside = folder === '/' ? '/' : `${folder}/`;
    add('(d.cwd = ? OR substr(d.cwd, 1, ?) = ?)', folder, [...inside].length, inside);
  }
  if (exit === 'ok') terms.push('d.exit_code = 0');
  else if (exit === 'failed') terms.push('d.exit_code <> 0');
  else if (exit !== undefined) add('d.exit_code = ?', exit);
  return { terms, values };
}

const SPILL_MS = 60_000;
