import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitMs } from '../../util/waitMs.ts';
import { makePrivate, SqliteFile } from '../files/SqliteFile.ts';

/** Increases when the tables change. Hansard refuses a file of another version and never recreates it, because agents delete their logs. */
export const PAST_VERSION = 1;
/** A reader in another process waits at most this long for the core. */
const BUSY_MS = 5_000;
const BUSY_STEP_MS = 5;
const SQLITE_BUSY = 5;

/**
 * `sources`: the files of agents and the position up to which each was read. `mark` identifies the bytes before `offset`, and with `state` a reader can
 * continue. `messages.uid` is equal in all copies of a message, which an agent makes when it forks a conversation. `is_covered`: a terminal's record has
 * the message too. `talks`: conversations that terminals recorded, for the files in `talk_files`. `recorded`: the matches of `talks` and `conversations`.
 * `changes`: each conversation once, in the order of its last change, which the search index follows.
 */
const TABLES = `
  CREATE TABLE sources (
    num INTEGER PRIMARY KEY, agent TEXT NOT NULL, path TEXT NOT NULL UNIQUE, inode TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0, mtime_ms REAL NOT NULL DEFAULT 0, offset INTEGER NOT NULL DEFAULT 0,
    mark TEXT NOT NULL DEFAULT '', state TEXT NOT NULL DEFAULT '{}', bad_lines INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE conversations (
    num INTEGER PRIMARY KEY, agent TEXT NOT NULL, session TEXT NOT NULL, cwd TEXT, title TEXT NOT NULL DEFAULT '',
    version TEXT, parent TEXT, started_ms REAL NOT NULL, updated_ms REAL NOT NULL,
    messages INTEGER NOT NULL DEFAULT 0, covered INTEGER NOT NULL DEFAULT 0,
    UNIQUE (agent, session)
  );
  CREATE INDEX conversations_by_time ON conversations(updated_ms, num);
  CREATE TABLE messages (
    num INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, source INTEGER NOT NULL, id TEXT NOT NULL, uid TEXT UNIQUE,
    kind TEXT NOT NULL, text TEXT NOT NULL, tool TEXT, at_ms REAL NOT NULL, is_covered INTEGER NOT NULL DEFAULT 0,
    UNIQUE (conversation, id)
  );
  CREATE INDEX messages_by_source ON messages(source);
  CREATE INDEX messages_by_time ON messages(at_ms, num) WHERE is_covered = 0;
  CREATE TABLE usage (
    conversation INTEGER NOT NULL, id TEXT NOT NULL, source INTEGER NOT NULL, at_ms REAL NOT NULL, model TEXT,
    input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, cost REAL, busy_ms REAL,
    PRIMARY KEY (conversation, id)
  ) WITHOUT ROWID;
  CREATE INDEX usage_by_time ON usage(at_ms);
  CREATE TABLE recorded (
    conversation INTEGER NOT NULL, terminal_id TEXT NOT NULL, conversation_id TEXT NOT NULL, from_ms REAL NOT NULL, to_ms REAL NOT NULL,
    PRIMARY KEY (conversation, terminal_id, conversation_id)
  ) WITHOUT ROWID;
  CREATE TABLE talks (
    terminal_id TEXT NOT NULL, conversation_id TEXT NOT NULL, agent TEXT NOT NULL, session TEXT, cwd TEXT,
    from_ms REAL NOT NULL, to_ms REAL NOT NULL, prompts TEXT NOT NULL, PRIMARY KEY (terminal_id, conversation_id)
  ) WITHOUT ROWID;
  CREATE TABLE talk_files (terminal_id TEXT PRIMARY KEY, stamp TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE changes (seq INTEGER PRIMARY KEY AUTOINCREMENT, conversation INTEGER NOT NULL UNIQUE);
  PRAGMA user_version = ${PAST_VERSION};
`;

/**
 * Pages of 16 KiB hold most messages whole. SQLite writes 64 MiB between two syncs, since syncing takes longer than reading the logs.
 * A power cut may lose what came after the last sync; the next import reads it again.
 */
const TUNING = `PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4096;
  PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -32000`;

export function pastPath(dataFolder: string): string {
  return join(dataFolder, 'past.sqlite');
}

/** past.sqlite: conversations that were copied from agent logs. One process writes it while others may read. */
export class PastFile extends SqliteFile {
  /** Opens the file for writing, and creates it if it does not exist. Throws errors of the disk, and an error with a text for people if the file is of another version. */
  static open(dataFolder: string): PastFile {
    const path = pastPath(dataFolder);
    makePrivate(path);
    return PastFile.#prepare(new DatabaseSync(path, { timeout: BUSY_MS }), path);
  }

  /** Opens an unnamed temporary file for counting. It uses disk space instead of memory and is deleted when it is closed. */
  static scratch(): PastFile {
    return PastFile.#prepare(new DatabaseSync(''), 'a temporary file');
  }

  /** Opens the file for reading; null before the first import. Throws if the file is damaged. */
  static openToRead(dataFolder: string): PastFile | null {
    const path = pastPath(dataFolder);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return null;
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    const file = new PastFile(db);
    const version = file.version;
    if (version === PAST_VERSION) return file;
    db.close();
    if (version === 0) return null; // another process just created the file, and it has no tables yet
    throw new Error(`${path} is of version ${version}; this Hansard reads version ${PAST_VERSION}. Update Hansard.`);
  }

  static #prepare(db: DatabaseSync, path: string): PastFile {
    try {
      tune(db);
      const file = new PastFile(db);
      // asked again within the transaction, because another process may create the tables at this moment
      if (file.version === 0)
        file.inOne(() => {
          if (file.version === 0) db.exec(TABLES);
        });
      if (file.version !== PAST_VERSION)
        throw new Error(
          `${path} is of version ${file.version}; this Hansard writes version ${PAST_VERSION}. Update Hansard.`,
        );
      return file;
    } catch (error) {
      db.close();
      throw error;
    }
  }
}

/** While another process switches a new file to a write-ahead log, SQLite fails at once in place of waiting. */
function tune(db: DatabaseSync): void {
  const startMs = performance.now();
  for (;;) {
    try {
      db.exec(TUNING);
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
      if (!isBusy || performance.now() - startMs > BUSY_MS) throw error;
      waitMs(BUSY_STEP_MS);
    }
  }
}
