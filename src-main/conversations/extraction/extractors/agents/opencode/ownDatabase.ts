import { resolve } from 'node:path';
import type { SubAgent } from '../../../../../contract/chat/progress.ts';
import { asFields, asString, type Fields, parseObject } from '../../../reconcile/jsonFields.ts';
import type { LogMessage, LogRun } from '../../../reconcile/LogMessage.ts';
import type { OwnDatabase, Query } from '../../../reconcile/OwnDatabase.ts';
import { OpencodeSession } from './OpencodeSession.ts';

/** OpenCode's data folder, with the database, or before 1.1 with a folder of JSON files. */
export function opencodeFolder({ home, env }: Pick<LogRun, 'home' | 'env'>): string {
  return `${env.XDG_DATA_HOME || `${home}/.local/share`}/opencode`;
}

/** OpenCode's `opencode.db` (seen in 1.18). A sub-agent is a session with a parent; the parent contains the call that waits for it. */
export const opencodeDatabase: OwnDatabase = {
  agent: 'opencode',
  envNames: ['XDG_DATA_HOME', 'OPENCODE_DB'],
  path: (run) => resolve(opencodeFolder(run), run.env.OPENCODE_DB || 'opencode.db'),
  sessions: (query, { cwd, sinceMs }) =>
    query(
      'SELECT id FROM session WHERE directory = ? AND parent_id IS NULL AND time_updated >= ? ORDER BY time_updated DESC LIMIT ?',
      ...[cwd, sinceMs, MAX_SESSIONS],
    ).flatMap(({ id }) => (typeof id === 'string' ? [{ id, prompts: promptsOf(query, id, sinceMs) }] : [])),
  open(id) {
    const sessions: Sessions = new Map();
    return {
      read: (query, sinceMs) => ({
        subAgents: subAgentsOf({ query, sessions }, id, new Set([id])),
        talk: readNow({ query, sessions }, id).talkSince(sinceMs),
      }),
    };
  },
};

/** By session id: what earlier reads have found. */
type Sessions = Map<string, OpencodeSession>;

interface Reading {
  readonly query: Query;
  readonly sessions: Sessions;
}

/** Most sessions of a folder to compare: one for each agent that worked there at that time. */
const MAX_SESSIONS = 24;
/** Most sub-agents to read of one session. */
const MAX_CHILDREN = 1_000;
/** The end of the title of a sub-agent's session. */
const TITLE_END = / \(@[^()]* subagent\)$/;
/** Errors of a call that the person stopped: the tool's own, and OpenCode's for any tool. */
const STOPPED = /^(Task cancelled|Tool execution aborted)$/;

function promptsOf(query: Query, sessionId: string, sinceMs: number): LogMessage[] {
  const messages = query(
    'SELECT id, data, time_created AS atMs FROM message WHERE session_id = ? AND time_created >= ?',
    ...[sessionId, sinceMs],
  );
  return messages
    .filter(({ data }) => parseObject(asString(data) ?? '')?.role === 'user')
    .flatMap(({ id, atMs }) =>
      query('SELECT data FROM part WHERE message_id = ? ORDER BY id', asString(id) ?? '').flatMap(({ data }) => {
        const part = parseObject(asString(data) ?? '');
        const text = part?.type === 'text' && part.synthetic !== true ? asString(part.text) : null;
        return text === null ? [] : [{ id: asString(id) ?? '', kind: 'user' as const, text, atMs: msOf(atMs) }];
      }),
    );
}

function readNow({ query, sessions }: Reading, id: string): OpencodeSession {
  const session = sessions.get(id) ?? new OpencodeSession(id);
  sessions.set(id, session);
  session.read(query);
  return session;
}

function subAgentsOf(reading: Reading, parent: string, seen: Set<string>, isTop = true): SubAgent[] {
  const rows = reading
    .query('SELECT * FROM session WHERE parent_id = ? ORDER BY time_created, id LIMIT ?', ...[parent, MAX_CHILDREN])
    .filter(({ id }) => typeof id === 'string' && !seen.has(id));
  if (rows.length === 0) return [];
  const { calls } = readNow(reading, parent);
  return rows.flatMap((row) => {
    const id = asString(row.id) ?? '';
    seen.add(id);
    const one = subAgentOf(row, calls.get(id));
    return [{ ...one, parentId: isTop ? null : parent }, ...subAgentsOf(reading, id, seen, false)];
  });
}

/** A session that no call names yet has just begun. */
function subAgentOf(row: Fields, call: Fields | undefined): Omit<SubAgent, 'parentId'> {
  const input = asFields(call?.input);
  const title = asString(input?.description) ?? (asString(row.title) ?? '').replace(TITLE_END, '');
  const time = asFields(call?.time);
  const startedMs = msOf(row.time_created);
  const state = stateOf(call);
  return {
    ...{ id: asString(row.id) ?? '', title, kind: asString(row.agent) ?? asString(input?.subagent_type) ?? '' },
    ...{ state, startedMs, sinceMs: (state === 'working' ? msOf(time?.start) : msOf(time?.end)) || startedMs },
  };
}

function stateOf(call: Fields | undefined): SubAgent['state'] {
  if (call?.status === 'completed') return 'done';
  if (call?.status === 'error') return STOPPED.test(asString(call.error) ?? '') ? 'stopped' : 'failed';
  return 'working';
}

function msOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
