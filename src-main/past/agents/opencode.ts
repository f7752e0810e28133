import { constants, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { opencodeFolder } from '../../conversations/extraction/extractors/agents/opencode/ownDatabase.ts';
import { takeMessage } from '../../conversations/extraction/extractors/agents/opencode/ownMessages.ts';
import {
  asCount,
  asFields,
  asString,
  type Fields,
  parseObject,
} from '../../conversations/extraction/reconcile/jsonFields.ts';
import type { PastAgent, PastSession, PastSink, WholeConversation, WholeLog } from './PastAgent.ts';

/** OpenCode's `opencode.db` since 1.1, and before it a folder of JSON: a file for each session, message and part. */
export const opencode: PastAgent = {
  agent: 'opencode',
  checked: ['1.18.33'],
  logs: [
    {
      places: (where) => [{ folder: opencodeFolder(where), path: [/^opencode\.db$/] }],
      log: { form: 'whole', besides: (path) => [`${path}-wal`], open: openDatabase },
    },
    {
      places: (where) => [
        { folder: `${opencodeFolder(where)}/storage/session`, path: [/^[\w.-]+$/, /^ses_\w+\.json$/] },
        { folder: `${opencodeFolder(where)}/storage/session/info`, path: [/^ses_\w+\.json$/] },
      ],
      log: { form: 'whole', open: openSessionFile },
    },
  ],
  resume: (id) => `opencode -s ${id}`,
};

/** Hansard copies the database again, at most this many times, if it changed during the copy. */
const MAX_COPIES = 3;

interface SessionRow {
  id: string;
  parent: string | null;
  cwd: string;
  title: string;
  version: string;
  created: number;
  updated: number;
}

/**
 * Opens a copy of the database, because SQLite writes beside a database even when it only reads, and Hansard never writes to an agent's files. Throws
 * if the copy is not a complete database.
 */
function openDatabase(path: string): ReturnType<WholeLog['open']> {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-past-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'copy.db');
    copyWhole(path, copy);
    const db = new DatabaseSync(copy);
    const sessions = db
      .prepare(
        `SELECT id, parent_id AS parent, directory AS cwd, title, version, time_created AS created, time_updated AS updated
         FROM session ORDER BY time_created`,
      )
      .all() as unknown as SessionRow[];
    const messages = db.prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id');
    const parts = db.prepare('SELECT id, data FROM part WHERE message_id = ? ORDER BY id');
    const state = { badParts: 0 };
    const parsed = (row: unknown): (Fields & { id: string }) | null => {
      const { id, data } = row as { id: string; data: string };
      const fields = parseObject(data);
      if (!fields) state.badParts += 1;
      return fields && { ...fields, id };
    };
    return {
      get badParts() {
        return state.badParts;
      },
      close() {
        db.close();
        remove();
      },
      *conversations() {
        // sessions of sub-agents are left out, because the session that started them has their tool calls
        for (const session of sessions.filter(({ parent }) => parent === null))
          yield conversation(session, (sink) => {
            for (const row of messages.all(session.id)) {
              const message = parsed(row);
              if (message)
                takeMessage(
                  sink,
                  message,
                  parts.all(message.id).flatMap((part) => parsed(part) ?? []),
                );
            }
          });
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function copyWhole(path: string, copy: string): void {
  const stamp = (): string =>
    [path, `${path}-wal`].map((one) => statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0).join('/');
  for (let left = MAX_COPIES; ; left -= 1) {
    const before = stamp();
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE);
    if (stamp() === before) return;
    if (left === 1) throw new Error('it changes all the time: import again when OpenCode has ended');
  }
}

function openSessionFile(path: string): ReturnType<WholeLog['open']> {
  const session = parseObject(readFileSync(path, 'utf8'));
  const id = safeId(session?.id);
  const time = asFields(session?.time);
  const storage = path.slice(0, path.lastIndexOf('/session/'));
  const state = { badParts: session && id !== null ? 0 : 1 };
  const read = (file: string): (Fields & { id: string }) | null => {
    const fields = parseObject(readFileSync(file, 'utf8'));
    if (!fields) state.badParts += 1;
    return fields && { ...fields, id: safeId(fields.id) ?? basename(file, '.json') };
  };
  return {
    get badParts() {
      return state.badParts;
    },
    close: () => undefined,
    *conversations() {
      if (!session || id === null || asString(session.parentID) !== null) return;
      const row = {
        ...{ id, parent: null, cwd: asString(session.directory) ?? '', title: asString(session.title) ?? '' },
        version: asString(session.version) ?? '',
        ...{ created: asCount(time?.created) ?? 0, updated: asCount(time?.updated) ?? statSync(path).mtimeMs },
      };
      yield conversation(row, (sink) => {
        for (const file of jsonIn(join(storage, 'message', id))) {
          const message = read(file);
          const parts = message ? jsonIn(join(storage, 'part', message.id)).flatMap((part) => read(part) ?? []) : [];
          if (message) takeMessage(sink, message, parts);
        }
      });
    },
  };
}

/** Ids are names of folders here, so one with a slash would lead to another folder. */
function safeId(value: unknown): string | null {
  const id = asString(value);
  return id !== null && /^\w[\w-]*$/.test(id) ? id : null;
}

function jsonIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return []; // the session has no messages
  }
}

function conversation(row: SessionRow, read: (sink: PastSink) => void): WholeConversation {
  const { id, cwd, title, version, created, updated } = row;
  return {
    id,
    stamp: String(updated),
    read(sink): PastSession {
      read(sink);
      const where = cwd === '' ? null : cwd;
      return { id, cwd: where, cwdDigest: null, startedMs: created, version: version || null, title, parent: null };
    },
  };
}
