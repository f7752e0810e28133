import { closeSync, constants, openSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { NOFOLLOW } from './Disk.ts';

const PRIVATE_FILE = 0o600;

/** Creates a private file if there is none: SQLite would follow a link, and create a file that others can read. Its side files get the same mode. */
export function makePrivate(path: string): void {
  closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | NOFOLLOW, PRIVATE_FILE));
}

/** A database in one file; prepares each statement once. It owns `db`. Calls throw SQLite errors, which `guarded` may replace. */
export class SqliteFile {
  protected readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  protected constructor(db: DatabaseSync) {
    this.db = db;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.guarded(() => this.#prepared(sql).all(...values) as Row[]);
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.guarded(() => this.#prepared(sql).get(...values) as Row | undefined);
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    const { changes, lastInsertRowid } = this.guarded(() => this.#prepared(sql).run(...values));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }

  get isInTransaction(): boolean {
    return this.db.isTransaction;
  }

  /** Opens a transaction, which `commit` ends. An error of the disk may end it too, and undoes all of it. */
  begin(): void {
    this.guarded(() => this.db.exec('BEGIN IMMEDIATE'));
  }

  /** Undoes the transaction if it cannot be written. */
  commit(): void {
    try {
      this.guarded(() => this.db.exec('COMMIT'));
    } catch (error) {
      this.#undo();
      throw error;
    }
  }

  /**
   * Runs `work` in the open transaction, or in one of its own. A crash or an error undoes all of the transaction: to undo a part of it, SQLite would
   * copy each page before its first change. `work` must be synchronous.
   */
  inOne(work: () => void): void {
    const isPart = this.isInTransaction;
    if (!isPart) this.begin();
    try {
      work();
    } catch (error) {
      this.#undo();
      throw error;
    }
    if (!isPart) this.commit();
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }

  /** `user_version`: 0 in a file without tables. */
  protected get version(): number {
    return this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  }

  /** Wraps each call of SQLite. */
  protected guarded<T>(work: () => T): T {
    return work();
  }

  #undo(): void {
    if (this.isInTransaction) this.db.exec('ROLLBACK');
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}
