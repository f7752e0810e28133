import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { NOFOLLOW } from '../files/Disk.ts';

/** Grows when the tables change. A file of a later version is refused, and never made again: agents delete their own logs. */
export const PAST_VERSION = 1;
const PRIVATE_FILE = 0o600;
/** A reader beside the core waits at most so long for it. */
const BUSY_MS = 5_000;

/**
 * `sources`: the files of agents, and how far each was read: `mark` is what stands before `offset`, `state` what its reader must know to
 * go on. `messages.uid` is the same in every copy that an agent makes of a message when it forks a conversation. `is_covered`: the terminal's record has it too.
 * `talks`: conversations of the terminals' record, as their files were at `talk_files`; `recorded`: which of them are which of these.
 * `changes` has each conversation once, behind all that changed before it: the search index follows it.
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
 * Pages of 16 KiB hold most messages whole. 64 MiB are written between two syncs of the disk, which take longer than reading the logs;
 * a cut of power may lose what came since the last one, and the next import reads it again.
 */
const TUNING = `PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4096;
  PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -32000`;

export function pastPath(dataFolder: string): string {
  return join(dataFolder, 'past.sqlite');
}

/** What agents kept of their own conversations, copied into a file of ours. One process writes it, others may read meanwhile. */
export class PastFile {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** For writing; made where there is none. Throws what the disk refuses, and a sentence for a file of another version. */
  static open(dataFolder: string): PastFile {
    const path = pastPath(dataFolder);
    // SQLite would follow a link and make the file readable for others
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | NOFOLLOW, PRIVATE_FILE));
    return PastFile.#prepare(new DatabaseSync(path, { timeout: BUSY_MS }), path);
  }

  /** A file without a name that is gone when it is closed, and that takes room on disk and not in memory: to count in. */
  static scratch(): PastFile {
    return PastFile.#prepare(new DatabaseSync(''), 'a temporary file');
  }

  /** For reading; null where nothing was imported. Throws for a damaged file. */
  static openToRead(dataFolder: string): PastFile | null {
    const path = pastPath(dataFolder);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return null;
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    const file = new PastFile(db);
    const version = file.#version;
    if (version === PAST_VERSION) return file;
    db.close();
    if (version === 0) return null; // it was made a moment ago and has no tables yet
    throw new Error(`${path} is of version ${version}; this Hansard reads version ${PAST_VERSION}. Update Hansard.`);
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[];
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    const { changes, lastInsertRowid } = this.#prepared(sql).run(...values);
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }

  /** All of it or nothing, also after a kill. `work` must not wait for anything. */
  inOne(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  static #prepare(db: DatabaseSync, path: string): PastFile {
    try {
      db.exec(TUNING);
      const file = new PastFile(db);
      if (file.#version === 0) db.exec(`BEGIN; ${TABLES} COMMIT`);
      if (file.#version !== PAST_VERSION)
        throw new Error(
          `${path} is of version ${file.#version}; this Hansard writes version ${PAST_VERSION}. Update Hansard.`,
        );
      return file;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  get #version(): number {
    return this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}
