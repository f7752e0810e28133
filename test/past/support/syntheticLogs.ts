import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A prompt and its answer, with a tool call between them if `tool` has its output. */
export interface Turn {
  readonly prompt: string;
  readonly answer: string;
  readonly tool?: string;
}

export interface Session {
  readonly id: string;
  readonly cwd: string;
  readonly atMs: number;
  readonly turns: readonly Turn[];
}

/** An agent's log format: the path of a session's file, and the lines of a turn. */
export interface LogForm {
  readonly agent: string;
  path(session: Session): string;
  head(session: Session): object[];
  /** `n`: number of the turn in its session. */
  turn(session: Session, n: number): object[];
}

const iso = (session: Session, n: number, step: number): string =>
  new Date(session.atMs + n * 60_000 + step * 1000).toISOString();

const uuid = (text: string): string =>
  createHash('sha1')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** The id of a synthetic session. */
export function sessionId(agent: string, n: number): string {
  return uuid(`${agent} session ${n}`);
}

const claude: LogForm = {
  agent: 'claude',
  path: ({ id, cwd }) => `.claude/projects/${cwd.replace(/[^A-Za-z0-9]/g, '-')}/${id}.jsonl`,
  head: ({ id }) => [{ type: 'mode', mode: 'normal', sessionId: id }],
  turn(session, n) {
    const { id, cwd, turns } = session;
    const turn = turns[n];
    const base = (step: number) => ({
      ...{ isSidechain: false, sessionId: id, cwd, version: '2.1.329', uuid: uuid(`${id} ${n} ${step}`) },
      timestamp: iso(session, n, step),
    });
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };
    const say = (step: number, part: object) => ({
      ...base(step),
      type: 'assistant',
      message: { id: `msg_${id}_${n}`, role: 'assistant', model: 'synthetic-1', usage, content: [part] },
    });
    const call = `call_${id}_${n}`;
    const tool =
      turn?.tool === undefined
        ? []
        : [
            say(1, { type: 'tool_use', id: call, name: 'Bash', input: { command: `run ${n}` } }),
            {
              ...base(2),
              type: 'user',
              message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: turn.tool }] },
              toolUseResult: { stdout: turn.tool },
            },
          ];
    return [
      { ...base(0), type: 'user', message: { role: 'user', content: turn?.prompt } },
      ...tool,
      say(3, { type: 'text', text: turn?.answer }),
      { ...base(4), type: 'system', subtype: 'turn_duration', durationMs: 4000 },
    ];
  },
};

const codex: LogForm = {
  agent: 'codex',
  path: ({ id, atMs }) => {
    const at = new Date(atMs).toISOString();
    return `.codex/sessions/${at.slice(0, 10).replaceAll('-', '/')}/rollout-${at.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`;
  },
  head: (session) => [
    {
      timestamp: iso(session, 0, 0),
      type: 'session_meta',
      payload: { id: session.id, timestamp: iso(session, 0, 0), cwd: session.cwd, cli_version: '0.169.0' },
    },
  ],
  turn(session, n) {
    const turn = session.turns[n];
    const event = (step: number, payload: object) => ({ timestamp: iso(session, n, step), type: 'event_msg', payload });
    const item = (step: number, one: object) => event(step, { type: 'item_completed', item: one });
    const counts = { input_tokens: 13, cached_input_tokens: 3, cache_write_input_tokens: 2, output_tokens: 5 };
    const info = { total_token_usage: { total_tokens: (n + 1) * 18 }, last_token_usage: counts };
    const command = { command: ['bash', '-lc', `run ${n}`], aggregated_output: turn?.tool, exit_code: 0 };
    return [
      item(0, {
        type: 'UserMessage',
        id: uuid(`${session.id} ${n} u`),
        content: [{ type: 'text', text: turn?.prompt }],
      }),
      ...(turn?.tool === undefined
        ? []
        : [item(1, { type: 'CommandExecution', id: uuid(`${session.id} ${n} t`), ...command })]),
      item(3, {
        type: 'AgentMessage',
        id: uuid(`${session.id} ${n} a`),
        content: [{ type: 'Text', text: turn?.answer }],
      }),
      event(4, { type: 'token_count', info }),
      event(4, { type: 'token_count', info }), // repeated, as after a change of a limit
      event(4, { type: 'task_complete', turn_id: uuid(`${session.id} ${n} d`), duration_ms: 4000 }),
    ];
  },
};

const gemini: LogForm = {
  agent: 'gemini',
  path: ({ id, atMs }) => {
    const at = new Date(atMs).toISOString().slice(0, 16).replaceAll(':', '-');
    return `.gemini/tmp/project/chats/session-${at}-${id}.jsonl`;
  },
  head: (session) => [
    {
      sessionId: session.id,
      projectHash: createHash('sha256').update(session.cwd).digest('hex'),
      startTime: iso(session, 0, 0),
    },
  ],
  turn(session, n) {
    const turn = session.turns[n];
    const id = (step: string) => uuid(`${session.id} ${n} ${step}`);
    const tokens = { input: 13, output: 4, cached: 3, thoughts: 1 };
    const calls =
      turn?.tool === undefined
        ? {}
        : {
            toolCalls: [
              {
                ...{ id: id('t'), name: 'run_shell_command', displayName: 'Shell', args: { command: `run ${n}` } },
                ...{ status: 'success', result: [{ functionResponse: { response: { output: turn.tool } } }] },
              },
            ],
          };
    const said = { timestamp: iso(session, n, 3), type: 'gemini', content: turn?.answer, tokens, model: 'synthetic-1' };
    return [
      { id: id('u'), timestamp: iso(session, n, 0), type: 'user', content: [{ text: turn?.prompt }] },
      { id: id('a'), ...said },
      { id: id('a'), ...said, ...calls },
      { $set: { lastUpdated: iso(session, n, 4) } },
    ];
  },
};

const copilot: LogForm = {
  agent: 'copilot',
  path: ({ id }) => `.copilot/session-state/${id}/events.jsonl`,
  head: (session) => [
    {
      type: 'session.start',
      data: {
        sessionId: session.id,
        copilotVersion: '1.0.102',
        startTime: iso(session, 0, 0),
        context: { cwd: session.cwd },
      },
      ...{ id: uuid(`${session.id} start`), timestamp: iso(session, 0, 0) },
    },
  ],
  turn(session, n) {
    const turn = session.turns[n];
    const event = (step: number, type: string, data: object) => ({
      ...{ type, data, id: uuid(`${session.id} ${n} ${step}`), timestamp: iso(session, n, step) },
    });
    const toolCallId = `call_${session.id}_${n}`;
    const usage = { model: 'synthetic-1', inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, duration: 4000 };
    const call = { toolCallId, toolName: 'bash', arguments: { command: `run ${n}` } };
    return [
      event(0, 'user.message', { content: turn?.prompt }),
      ...(turn?.tool === undefined
        ? []
        : [
            event(1, 'tool.execution_start', call),
            event(2, 'tool.execution_complete', { toolCallId, success: true, result: { content: turn.tool } }),
          ]),
      event(3, 'assistant.message', { content: turn?.answer }),
      event(4, 'session.usage_record', { usage }),
    ];
  },
};

const qwen: LogForm = {
  agent: 'qwen',
  path: ({ id, cwd }) => `.qwen/projects/${cwd.replace(/[^A-Za-z0-9]/g, '-')}/chats/${id}.jsonl`,
  head: () => [],
  turn(session, n) {
    const turn = session.turns[n];
    const record = (step: number, type: string, parts: object[], more: object = {}) => ({
      ...{ uuid: uuid(`${session.id} ${n} ${step}`), sessionId: session.id, timestamp: iso(session, n, step), type },
      ...{ cwd: session.cwd, version: '0.15.10', message: { role: type, parts }, ...more },
    });
    const id = `call_${session.id}_${n}`;
    const call = { functionCall: { id, name: 'run_shell_command', args: { command: `run ${n}` } } };
    const result = { toolCallResult: { callId: id, status: 'success', resultDisplay: turn?.tool } };
    const usageMetadata = { promptTokenCount: 13, candidatesTokenCount: 5, cachedContentTokenCount: 3 };
    return [
      record(0, 'user', [{ text: turn?.prompt }]),
      ...(turn?.tool === undefined ? [] : [record(1, 'assistant', [call]), record(2, 'tool_result', [], result)]),
      record(3, 'assistant', [{ text: turn?.answer }], { model: 'synthetic-1', usageMetadata }),
    ];
  },
};

export const LINE_FORMS: readonly LogForm[] = [claude, codex, gemini, copilot, qwen];

/** Inserts or replaces sessions in OpenCode's database below `home`. */
export function writeDatabase(home: string, sessions: readonly Session[]): string {
  const folder = join(home, '.local/share/opencode');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'opencode.db');
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN;
    CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created, time_updated);
    CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT, time_created, data TEXT);
    CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);
    CREATE INDEX IF NOT EXISTS m ON message(session_id); CREATE INDEX IF NOT EXISTS p ON part(message_id);`);
  for (const session of sessions) writeOpenCode(db, session);
  db.exec('COMMIT');
  db.close();
  return path;
}

function writeOpenCode(db: DatabaseSync, session: Session): void {
  const { id, cwd, turns, atMs } = session;
  db.prepare('INSERT OR REPLACE INTO session VALUES (?, NULL, ?, ?, ?, ?, ?)').run(
    ...[`ses_${id.replaceAll('-', '')}`, cwd, 'a title', '1.18.33', atMs, atMs + turns.length * 60_000],
  );
  const message = (n: number, step: number, data: object) => {
    const key = `msg_${id}_${String(n).padStart(6, '0')}_${step}`;
    const at = atMs + n * 60_000 + step * 1000;
    db.prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?)').run(
      ...[
        key,
        `ses_${id.replaceAll('-', '')}`,
        at,
        JSON.stringify({ time: { created: at, completed: at + 4000 }, ...data }),
      ],
    );
    return (name: string, part: object) =>
      db.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?)').run(`prt_${key}_${name}`, key, JSON.stringify(part));
  };
  for (const [n, turn] of turns.entries()) {
    message(n, 0, { role: 'user' })('0', { type: 'text', text: turn.prompt });
    const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 3, write: 2 } };
    const part = message(n, 1, { role: 'assistant', modelID: 'synthetic-1', cost: 0.25, tokens });
    const state = { status: 'completed', input: { command: `run ${n}` }, output: turn.tool };
    if (turn.tool !== undefined) part('1', { type: 'tool', tool: 'bash', state });
    part('2', { type: 'text', text: turn.answer });
  }
}

/** Writes a session below `home` as its agent does; returns the path. */
export function writeSession(home: string, form: LogForm, session: Session): string {
  const path = join(home, form.path(session));
  mkdirSync(dirname(path), { recursive: true });
  const lines = session.turns.flatMap((_, n) => form.turn(session, n));
  writeFileSync(path, asLines([...form.head(session), ...lines]));
  return path;
}

/** Adds the turns of `session` from number `from` on to its file. */
export function appendTurns(home: string, form: LogForm, { session, from }: { session: Session; from: number }): void {
  const lines = session.turns.slice(from).flatMap((_, n) => form.turn(session, from + n));
  appendFileSync(join(home, form.path(session)), asLines(lines));
}

export function asLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Number of messages of turns, as the import counts them; a tool call is one. */
export function messagesOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { tool }) => sum + (tool === undefined ? 2 : 3), 0);
}
