import type { Doc, DocWords } from './docs.ts';
import type { IndexFile } from './IndexFile.ts';

/** The files of a terminal that list its searchable docs. */
export type Source = 'blocks' | 'chat';

/** The indexed part [from, to) of a source. */
export interface Reach {
  from: number;
  to: number;
  mark: string;
}

/** Keys count seconds from 2020, each with room for 4,096 docs; a second's first doc gets the middle of its room. */
const EPOCH_S = 1_577_836_800;
const PER_SECOND = 4096;
const MAX_SECOND = 2 ** 32;
/** Docs removed per transaction when a terminal is forgotten. */
const FORGET_AT_ONCE = 500;

/** An indexed doc. */
export interface Known {
  key: number;
  stamp: string;
  cmd: string | null;
  isOpen: number;
}

/** A doc to write; if `words` is null, the indexed words stay. */
export interface Entry {
  readonly doc: Doc;
  readonly stamp: string;
  readonly words: DocWords | null;
}

/** The statements that change the index. */
export class IndexWriter {
  readonly #index: IndexFile;

  constructor(index: IndexFile) {
    this.#index = index;
  }

  /** Returns the terminal's number, creating one if needed. */
  terminal(id: string): number {
    const known = this.#index.get<{ num: number }>('SELECT num FROM terminals WHERE id = ?', id);
    return known?.num ?? this.#index.run('INSERT INTO terminals (id) VALUES (?)', id).lastId;
  }

  terminals(): { num: number; id: string }[] {
    return this.#index.all('SELECT num, id FROM terminals');
  }

  reach(terminal: number, source: Source): Reach {
    const sql = `SELECT ${source}_from AS 'from', ${source}_to AS 'to', ${source}_mark AS mark FROM terminals WHERE num = ?`;
    return this.#index.get<Reach>(sql, terminal) ?? { from: 0, to: 0, mark: '' };
  }

  known(terminal: number, isMessage: boolean, id: string): Known | undefined {
    return this.#index.get<Known>(
      'SELECT key, stamp, cmd, is_open AS isOpen FROM docs WHERE terminal = ? AND is_message = ? AND id = ?',
      terminal,
      Number(isMessage),
      id,
    );
  }

  /** Docs whose text is not indexed yet; of the blocks, only those that can no longer run because another one began. */
  open(terminal: number, isMessage: boolean): { id: string; lineAt: number; lineBytes: number }[] {
    const isOver = isMessage
      ? ''
      : 'AND place < (SELECT max(place) FROM docs WHERE terminal = d.terminal AND is_message = 0)';
    return this.#index.all(
      `SELECT id, line_at AS lineAt, line_bytes AS lineBytes FROM docs d
       WHERE is_open = 1 AND terminal = ? AND is_message = ? ${isOver}`,
      terminal,
      Number(isMessage),
    );
  }

  /** Terminals with a doc whose text is not indexed yet. */
  withOpen(): string[] {
    const sql = 'SELECT DISTINCT t.id FROM docs d JOIN terminals t ON t.num = d.terminal WHERE d.is_open = 1';
    return this.#index.all<{ id: string }>(sql).map(({ id }) => id);
  }

  /** Writes docs together with the range that was read, or neither. */
  put(terminal: number, entries: readonly Entry[], reached?: { source: Source; reach: Reach }): void {
    this.#index.inOne(() => {
      for (const entry of entries) this.#putOne(terminal, entry);
      if (!reached) return;
      const { source, reach } = reached;
      this.#index.run(
        `UPDATE terminals SET ${source}_from = ?, ${source}_to = ?, ${source}_mark = ? WHERE num = ?`,
        reach.from,
        reach.to,
        reach.mark,
        terminal,
      );
    });
  }

  /** Finds the ids of messages that begin with `start`, which must end with a dot. */
  idsFrom(terminal: number, start: string): string[] {
    const end = `${start.slice(0, -1)}/`; // "/" is the next character after the dot
    const sql = 'SELECT id FROM docs WHERE terminal = ? AND is_message = 1 AND id >= ? AND id < ?';
    return this.#index.all<{ id: string }>(sql, terminal, start, end).map(({ id }) => id);
  }

  forgetDocs(terminal: number, ids: readonly string[]): void {
    for (let from = 0; from < ids.length; from += FORGET_AT_ONCE)
      this.#index.inOne(() => {
        for (const id of ids.slice(from, from + FORGET_AT_ONCE)) {
          const key = this.known(terminal, true, id)?.key;
          if (key === undefined) continue;
          this.#index.run('DELETE FROM words WHERE rowid = ?', key);
          this.#index.run('DELETE FROM docs WHERE key = ?', key);
        }
      });
  }

  /** Removes some of a terminal's docs; true if there are more. From the first call on, its sources count as unread. */
  forgetSome(terminal: number, source?: Source): boolean {
    const which = source === undefined ? '' : `AND is_message = ${Number(source === 'chat')}`;
    const keys = this.#index.all<{ key: number }>(
      `SELECT key FROM docs WHERE terminal = ? ${which} LIMIT ${FORGET_AT_ONCE}`,
      terminal,
    );
    this.#index.inOne(() => {
      for (const one of source === undefined ? (['blocks', 'chat'] as const) : [source])
        this.#index.run(
          `UPDATE terminals SET ${one}_from = 0, ${one}_to = 0, ${one}_mark = '' WHERE num = ?`,
          terminal,
        );
      for (const { key } of keys) {
        this.#index.run('DELETE FROM words WHERE rowid = ?', key);
        this.#index.run('DELETE FROM docs WHERE key = ?', key);
      }
      if (keys.length === 0 && source === undefined) this.#index.run('DELETE FROM terminals WHERE num = ?', terminal);
    });
    return keys.length > 0;
  }

  /** Rewrites the whole index, so that the file holds nothing of the removed docs. Takes a second per 50 MB. */
  tidy(): void {
    this.#index.run(`INSERT INTO words(words) VALUES ('optimize')`);
    this.#index.run('VACUUM');
    this.#index.all('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #putOne(terminal: number, { doc, stamp, words }: Entry): void {
    const known = this.known(terminal, doc.isMessage, doc.id);
    const key = known?.key ?? this.#newKey(doc);
    const leftOut = words ? Number(words.isLeftOut) : null;
    this.#index.run(
      `INSERT INTO docs (key, terminal, id, is_message, at_ms, place, cmd, cwd, exit_code, status, line_at, line_bytes, stamp, is_open, out_lines, is_left_out)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?16, 0))
       ON CONFLICT (key) DO UPDATE SET at_ms = excluded.at_ms, place = excluded.place, cmd = excluded.cmd, cwd = excluded.cwd,
         exit_code = excluded.exit_code, status = excluded.status, line_at = excluded.line_at, line_bytes = excluded.line_bytes,
         stamp = excluded.stamp, is_open = excluded.is_open, out_lines = excluded.out_lines, is_left_out = coalesce(?16, is_left_out)`,
      ...[
        key,
        terminal,
        doc.id,
        Number(doc.isMessage),
        doc.atMs,
        doc.place,
        doc.cmd,
        doc.cwd,
        doc.exitCode,
        doc.status,
      ],
      ...[doc.lineAt, doc.lineBytes, stamp, Number(doc.isOpen), doc.outLines, leftOut],
    );
    if (!words) return;
    if (known) this.#index.run('DELETE FROM words WHERE rowid = ?', key);
    this.#index.run(
      'INSERT INTO words (rowid, cmd, output, chat) VALUES (?, ?, ?, ?)',
      key,
      words.cmd,
      words.output,
      words.chat,
    );
  }

  /** Finds a free number in the doc's second: before the first one if the doc is older, otherwise after all of them. */
  #newKey({ atMs, place }: Doc): number {
    for (let second = secondOf(atMs); ; second += 1) {
      const first = second * PER_SECOND;
      const end = first + PER_SECOND;
      const low = this.#edge(first, end, 'ASC');
      const high = this.#edge(first, end, 'DESC');
      if (!low || !high) return first + PER_SECOND / 2;
      const isEarlier = atMs < low.atMs || (atMs === low.atMs && place < low.place);
      if (isEarlier && low.key > first) return low.key - 1;
      if (high.key + 1 < end) return high.key + 1;
      if (low.key > first) return low.key - 1;
    }
  }

  #edge(first: number, end: number, order: 'ASC' | 'DESC'): { key: number; atMs: number; place: number } | undefined {
    return this.#index.get(
      `SELECT key, at_ms AS atMs, place FROM docs WHERE key >= ? AND key < ? ORDER BY key ${order} LIMIT 1`,
      first,
      end,
    );
  }
}

/** First number for docs of this time. */
export function firstKeyOf(atMs: number): number {
  return secondOf(atMs) * PER_SECOND;
}

function secondOf(atMs: number): number {
  return Math.min(MAX_SECOND, Math.max(0, Math.floor(atMs / 1000) - EPOCH_S));
}
