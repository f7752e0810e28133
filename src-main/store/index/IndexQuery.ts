import type { SQLInputValue } from 'node:sqlite';
import type { SearchQuery } from '../../contract/search.ts';
import type { IndexFile } from './IndexFile.ts';
import { firstKeyOf } from './IndexWriter.ts';
import { type Phrase, toMatch } from './parseWords.ts';

/** Counting stops here: "1,000 and more". */
export const MAX_TOTAL = 1000;

/** A doc that has every phrase. */
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

type Filters = Pick<SearchQuery, 'in' | 'terminalId' | 'cwd' | 'sinceMs' | 'untilMs' | 'exit'>;

/** Looks docs up by their words. */
export class IndexQuery {
  readonly #index: IndexFile;

  constructor(index: IndexFile) {
    this.#index = index;
  }

  /** Newest first, before the one with the number `beforeKey`. */
  find(
    phrases: readonly Phrase[],
    filters: Filters,
    page: { beforeKey?: number | undefined; limit: number },
  ): DocRow[] {
    const { sql, values } = where(phrases, filters, page.beforeKey);
    return this.#index.all<DocRow>(
      `SELECT d.key, t.id AS terminalId, d.id, d.is_message AS isMessage, d.at_ms AS atMs, d.cmd, d.cwd, d.exit_code AS exitCode,
         d.status, d.line_at AS lineAt, d.line_bytes AS lineBytes, d.out_lines AS outLines, d.is_left_out AS isLeftOut
       ${sql} ORDER BY w.rowid DESC LIMIT ?`,
      ...values,
      page.limit,
    );
  }

  /** How many there are, counted up to one more than MAX_TOTAL. */
  count(phrases: readonly Phrase[], filters: Filters): number {
    const { sql, values } = where(phrases, filters);
    const limited = `SELECT 1 ${sql} LIMIT ${MAX_TOTAL + 1}`;
    return this.#index.get<{ count: number }>(`SELECT count(*) AS count FROM (${limited})`, ...values)?.count ?? 0;
  }

  /** Blocks of which the index knows the start and the end only. */
  leftOut(): number {
    return this.#index.get<{ count: number }>('SELECT count(*) AS count FROM docs WHERE is_left_out = 1')?.count ?? 0;
  }
}

function where(
  phrases: readonly Phrase[],
  { in: places, terminalId, cwd, sinceMs, untilMs, exit }: Filters,
  beforeKey?: number,
): { sql: string; values: SQLInputValue[] } {
  const terms = ['words MATCH ?'];
  const values: SQLInputValue[] = [toMatch(phrases, places)];
  const add = (term: string, ...own: SQLInputValue[]): void => {
    terms.push(term);
    values.push(...own);
  };
  if (beforeKey !== undefined) add('w.rowid < ?', beforeKey);
  // Seconds narrow the look-up, milliseconds are compared; a crowded second may spill some of its docs into the next ones
  if (sinceMs !== undefined) add('w.rowid >= ? AND d.at_ms >= ?', firstKeyOf(sinceMs), sinceMs);
  if (untilMs !== undefined) add('w.rowid < ? AND d.at_ms <= ?', firstKeyOf(untilMs + SPILL_MS), untilMs);
  if (terminalId !== undefined) add('t.id = ?', terminalId);
  if (cwd !== undefined) {
    const folder = cwd.replace(/(?<=.)\/+$/, '');
    const inside = folder === '/' ? '/' : `${folder}/`;
    add('(d.cwd = ? OR substr(d.cwd, 1, ?) = ?)', folder, [...inside].length, inside);
  }
  if (exit === 'ok') terms.push('d.exit_code = 0');
  else if (exit === 'failed') terms.push('d.exit_code <> 0');
  else if (exit !== undefined) add('d.exit_code = ?', exit);
  const sql = `FROM words w CROSS JOIN docs d ON d.key = w.rowid CROSS JOIN terminals t ON t.num = d.terminal WHERE ${terms.join(' AND ')}`;
  return { sql, values };
}

const SPILL_MS = 60_000;
