import { lstat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { OWN_DATABASES } from '../extraction/extractors/agents/logs.ts';
import { chooseLog } from '../extraction/reconcile/chooseLog.ts';
import type { OwnDatabase, OwnSession, Query } from '../extraction/reconcile/OwnDatabase.ts';
import { EARLIER_MS, type OwnLogHints, type OwnLogRead, type OwnLogRun } from './AgentLogLocator.ts';
import { environmentOf } from './processFacts.ts';

/**
 * Finds a conversation in the database that its agent keeps, by its session id or by folder and prompts, and reads its prompts and answers,
 * the usage of its turns and which sub-agents it has. Writes nothing, also not beside the database.
 */
export class AgentDatabase {
  readonly #run: OwnLogRun;
  readonly #kind: OwnDatabase | null;
  #env: Record<string, string> = {};
  #sessionId: string | null = null;
  #session: OwnSession | null = null;
  /** State of the files at the last read. */
  #stamp = '';
  #last: OwnLogRead | null = null;

  constructor(run: OwnLogRun, databases: readonly OwnDatabase[] = OWN_DATABASES) {
    this.#run = run;
    this.#kind = databases.find(({ agent }) => agent === run.agent) ?? null;
  }

  /** Whether a database of this agent can be read at all. */
  get isKnown(): boolean {
    return this.#kind !== null;
  }

  /** Null while the conversation is not found in the database. Throws if the database is damaged or busy. */
  async read(hints: OwnLogHints): Promise<OwnLogRead | null> {
    if (!this.#kind) return null;
    for (const pid of hints.pids ?? [])
      this.#env = { ...this.#env, ...(await environmentOf(pid, ['HOME', ...this.#kind.envNames])) };
    const { cwd, home, env } = this.#run;
    const path = this.#kind.path({ home: this.#env.HOME ?? home, env: { ...env, ...this.#env }, cwd });
    const stamp = await stampOf(path);
    const url = await readOnlyUrl(path);
    if (stamp === null || url === null) return null;
    if (stamp === this.#stamp && this.#last) return this.#last;
    this.#last = this.#readNow(this.#kind, { path, url }, hints);
    this.#stamp = stamp;
    return this.#last;
  }

  #readNow(kind: OwnDatabase, { path, url }: { path: string; url: URL }, hints: OwnLogHints): OwnLogRead | null {
    const db = new DatabaseSync(url, { readOnly: true });
    try {
      const query: Query = (sql, ...values) => db.prepare(sql).all(...values);
      this.#sessionId ??= hints.sessionId ?? this.#choose(kind, { query, path }, hints);
      if (this.#sessionId === null) return null;
      this.#session ??= kind.open(this.#sessionId);
      const { talk, subAgents } = this.#session.read(query, this.#run.startedMs - EARLIER_MS);
      const { messages } = talk;
      return { path: nameOf(path, this.#sessionId), sessionId: this.#sessionId, messages, plan: null, subAgents, talk };
    } finally {
      db.close();
    }
  }

  #choose(kind: OwnDatabase, { query, path }: { query: Query; path: string }, hints: OwnLogHints): string | null {
    const { cwd, startedMs } = this.#run;
    const own = kind
      .sessions(query, { cwd, sinceMs: startedMs - EARLIER_MS })
      .filter(({ id }) => !hints.isTaken?.(nameOf(path, id)));
    const at = chooseLog(
      hints.messages,
      own.map(({ prompts }) => prompts),
    );
    return own[at]?.id ?? null;
  }
}

/** The file contains every session, so the name includes the session's id. */
function nameOf(path: string, sessionId: string): string {
  return `${path}#${sessionId}`;
}

/** Changes with the database and its write-ahead log. Null if the path is not a file of this person. */
async function stampOf(path: string): Promise<string | null> {
  const [main, wal] = await Promise.all([path, `${path}-wal`].map((one) => lstat(one).catch(() => null)));
  if (!main?.isFile() || main.uid !== process.geteuid?.()) return null;
  return [main, wal].map((one) => `${one?.ino} ${one?.size} ${one?.mtimeMs}`).join(' ');
}

/**
 * SQLite creates and changes the files beside the database even for a reader, except with `readonly_shm`. If those files do not exist, no
 * process has the database open and one file contains everything. Null if only one of them exists, because it is changing now.
 */
async function readOnlyUrl(path: string): Promise<URL | null> {
  const [wal, shm] = await Promise.all(['-wal', '-shm'].map((end) => lstat(path + end).catch(() => null)));
  if ((wal === null) !== (shm === null)) return null;
  const url = pathToFileURL(path);
  url.search = shm ? '?mode=ro&readonly_shm=1' : '?mode=ro&immutable=1';
  return url;
}
