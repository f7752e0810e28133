import { resolve } from 'node:path';
import type { SubAgent } from '../../../../../contract/chat/progress.ts';
import { asFields, asString, type Fields, parseObject } from '../../../reconcile/jsonFields.ts';
import { LogFold } from '../../../reconcile/LogFold.ts';
import type { LogMessage, LogRun, LogTalk } from '../../../reconcile/LogMessage.ts';
import { type UsageEntry, UsageFold } from '../../../reconcile/LogUsage.ts';
import type { OwnDatabase, Query } from '../../../reconcile/OwnDatabase.ts';
import { takeMessage } from './ownMessages.ts';

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
  subAgents: (query, sessionId) => subAgentsOf(query, sessionId, new Set([sessionId])),
  talk: talkOf,
};

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

/** Texts are enough for usage; the outputs of tools are most of the bytes. */
function talkOf(query: Query, sessionId: string, sinceMs: number): LogTalk {
  const fold = new LogFold();
  const answers = new UsageFold();
  const sink = { fold, usage: (entry: UsageEntry) => answers.put(entry, fold.messages.length) };
  const parsed = ({ id, data }: Fields) => ({ ...parseObject(asString(data) ?? ''), id: asString(id) ?? '' });
  const messages = query(
    'SELECT id, data FROM message WHERE session_id = ? AND time_created >= ? ORDER BY time_created, id',
    ...[sessionId, sinceMs],
  );
  const texts = query(
    `SELECT id, message_id AS message, data FROM part WHERE session_id = ? AND data LIKE '%"type":"text"%' ORDER BY id`,
    sessionId,
  );
  const byMessage = Map.groupBy(texts, ({ message }) => message);
  for (const row of messages) takeMessage(sink, parsed(row), (byMessage.get(row.id) ?? []).map(parsed));
  return { messages: fold.messages, usage: answers.all };
}

function subAgentsOf(query: Query, parent: string, seen: Set<string>, isTop = true): SubAgent[] {
  const rows = query(
    'SELECT * FROM session WHERE parent_id = ? ORDER BY time_created, id LIMIT ?',
    ...[parent, MAX_CHILDREN],
  ).filter(({ id }) => typeof id === 'string' && !seen.has(id));
  if (rows.length === 0) return [];
  const calls = callsOf(query, parent);
  return rows.flatMap((row) => {
    const id = asString(row.id) ?? '';
    seen.add(id);
    const one = subAgentOf(row, calls.get(id));
    return [{ ...one, parentId: isTop ? null : parent }, ...subAgentsOf(query, id, seen, false)];
  });
}

/** The last call for each sub-agent, which may get a second task. */
function callsOf(query: Query, sessionId: string): Map<string, Fields> {
  const calls = new Map<string, Fields>();
  const sql = `SELECT data FROM part WHERE session_id = ? AND data LIKE '%"tool":"task"%' ORDER BY id`;
  for (const { data } of query(sql, sessionId)) {
    const part = parseObject(asString(data) ?? '');
    const state = part?.tool === 'task' ? asFields(part.state) : null;
    const child = asString(asFields(state?.metadata)?.sessionId);
    if (state && child !== null) calls.set(child, state);
  }
  return calls;
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
