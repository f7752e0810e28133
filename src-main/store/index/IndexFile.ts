import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { asDiskError } from '../files/Disk.ts';
import { makePrivate, SqliteFile } from '../files/SqliteFile.ts';

/** Increases when the tables, the folding of words or the indexed content change; an index of another version is rebuilt. */
export const INDEX_VERSION = 1;
/** A reader in another process waits at most this long for the core. */
const BUSY_MS = 2_000;
/** SQLite's codes for an unusable file: SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_SCHEMA. */
const DAMAGED = new Set([11, 26, 17]);

/**
 * `docs` has a row for each block and message, `words` its words under the same number, which grows with time. The text itself is
 * only in the files: `words` is contentless. In `terminals`, [from, to) is the indexed part of a file, which is read backward from its end
 * and forward as it grows; `mark` identifies the bytes before `to`.
 */
const TABLES = `
  CREATE TABLE terminals (
    num INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    blocks_from INTEGER NOT NULL DEFAULT 0, blocks_to INTEGER NOT NULL DEFAULT 0, blocks_mark TEXT NOT NULL DEFAULT '',
    chat_from INTEGER NOT NULL DEFAULT 0, chat_to INTEGER NOT NULL DEFAULT 0, chat_mark TEXT NOT NULL DEFAULT ''
  );
  CREATE TABLE docs (
    key INTEGER PRIMARY KEY, terminal INTEGER NOT NULL, id TEXT NOT NULL, is_message INTEGER NOT NULL,
    at_ms REAL NOT NULL, place REAL NOT NULL,
    cmd TEXT, cwd TEXT, exit_code INTEGER, status TEXT,
    line_at INTEGER NOT NULL DEFAULT 0, line_bytes INTEGER NOT NULL DEFAULT 0,
    stamp TEXT NOT NULL, is_open INTEGER NOT NULL, out_lines INTEGER NOT NULL DEFAULT 0, is_left_out INTEGER NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX docs_by_id ON docs(terminal, is_message, id);
  CREATE INDEX docs_open ON docs(terminal) WHERE is_open = 1;
  CREATE INDEX docs_left_out ON docs(key) WHERE is_left_out = 1;
  CREATE VIRTUAL TABLE words USING fts5(cmd, output, chat, content='', contentless_delete=1, tokenize='ascii');
  PRAGMA user_version = ${INDEX_VERSION};
`;

export function indexPath(dataFolder: string): string {
  return join(dataFolder, 'index.sqlite');
}

/** The index on disk is missing, of another version or damaged: the owner of the folder rebuilds it. */
export class IndexUnusable extends Error {}

/** `index.sqlite`. The owner of the data folder writes it, while other processes may read. A damaged file throws IndexUnusable. */
export class IndexFile extends SqliteFile {
  /** Opens the index for writing; replaces an unusable one by an empty one. Throws errors of the disk. */
  static open(dataFolder: string): IndexFile {
    try {
      return IndexFile.#openToWrite(dataFolder);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      IndexFile.remove(dataFolder);
      return IndexFile.#openToWrite(dataFolder);
    }
  }

  /** Opens the index for reading beside a core or without one. Throws IndexUnusable if there is none of this version. */
  static openToRead(dataFolder: string): IndexFile {
    const path = indexPath(dataFolder);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) throw new IndexUnusable('there is no index');
    let db: DatabaseSync | null = null;
    try {
      db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
      const file = new IndexFile(db);
      if (file.version !== INDEX_VERSION) throw new IndexUnusable('the index is of another version');
      return file;
    } catch (error) {
      db?.close();
      throw error instanceof IndexUnusable ? error : new IndexUnusable(String(error), { cause: error });
    }
  }

  /** Removes the index with SQLite's side files. No process may have it open. */
  static remove(dataFolder: string): void {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${indexPath(dataFolder)}${end}`, { force: true });
  }

  static #openToWrite(dataFolder: string): IndexFile {
    const path = indexPath(dataFolder);
    makePrivate(path);
    const db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000');
      const file = new IndexFile(db);
      if (file.version === 0 && file.#isEmpty) db.exec(`BEGIN; ${TABLES} COMMIT`);
      if (file.version !== INDEX_VERSION) throw new IndexUnusable('the index is of another version');
      return file;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  protected override guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw isUnusable(error) ? new IndexUnusable(String(error), { cause: error }) : error;
    }
  }

  get #isEmpty(): boolean {
    return this.get<{ count: number }>('SELECT count(*) AS count FROM sqlite_schema')?.count === 0;
  }
}

/** Primary result code of SQLite: the low byte. */
function isUnusable(error: unknown): boolean {
  if (error instanceof IndexUnusable) return true;
  if (error instanceof Error && 'errcode' in error) return DAMAGED.has(Number(error.errcode) & 0xff);
  return asDiskError(error).code === 'ELOOP';
}
