import { createHash } from 'node:crypto';
import {
  asFields,
  asList,
  asString,
  asTimeMs,
  type Fields,
  parseObject,
  textOf,
} from '../../../reconcile/jsonFields.ts';
import { LogFold } from '../../../reconcile/LogFold.ts';
import type { LogMessage, LogParser, LogSession, LogTool, OwnLog } from '../../../reconcile/LogMessage.ts';
import { toolInput } from '../../../reconcile/toolInput.ts';
import { commandOutput } from './commandOutput.ts';

/** Gemini CLI's `~/.gemini/tmp/<project>/chats/session-*.jsonl`, seen in 0.61. */
export const geminiLog: OwnLog = {
  agent: 'gemini',
  envNames: ['GEMINI_CLI_HOME'],
  places: ({ home, env }) => [
    {
      folder: `${env.GEMINI_CLI_HOME ?? home}/.gemini/tmp`,
      path: [/^[\w.-]+$/, /^chats$/, /^session-.*\.jsonl$/],
    },
  ],
  isOf: (session, cwd) => session.cwdDigest === createHash('sha256').update(cwd).digest('hex'),
  newParser: () => new GeminiLogParser(),
};

/** What the program says in the person's name. */
const WRAPPED = /^<(session_context|state_snapshot|system_reminder)/;
const STATUS: Readonly<Record<string, NonNullable<LogTool['status']>>> = {
  success: 'done',
  error: 'failed',
  cancelled: 'denied',
};

/** Begins the history it gives the model, which it writes down once more, under new ids, when a request was cancelled. */
const HISTORY = /^<session_context/;

class GeminiLogParser implements LogParser {
  readonly #fold = new LogFold();
  /** All of a history that was written down once more has one time. */
  #againAt: string | null = null;
  #session: LogSession = { id: null, cwd: null, cwdDigest: null, startedMs: null };

  get session(): LogSession {
    return this.#session;
  }

  get messages(): readonly LogMessage[] {
    return this.#fold.messages;
  }

  feed(line: string): void {
    const record = parseObject(line);
    if (!record) return;
    if (this.#session.id === null && typeof record.sessionId === 'string') this.#meta(record);
    for (const message of asList(asFields(record.$set)?.messages).map(asFields)) if (message) this.#message(message);
    this.#message(record);
  }

  #meta(record: Fields): void {
    this.#session = {
      id: asString(record.sessionId),
      cwd: null,
      cwdDigest: asString(record.projectHash),
      startedMs: asTimeMs(record.startTime),
    };
  }

  #message(record: Fields): void {
    const id = asString(record.id);
    if (id === null) return;
    const atMs = asTimeMs(record.timestamp);
    const text = textOf(record.content).trim();
    if (HISTORY.test(text) && this.#fold.messages.length > 0) this.#againAt = asString(record.timestamp);
    if (this.#againAt !== null && record.timestamp === this.#againAt) return;
    if (record.type === 'user' && text !== '' && !WRAPPED.test(text)) this.#fold.put({ id, kind: 'user', text, atMs });
    if (record.type !== 'gemini') return;
    if (text !== '') this.#fold.put({ id, kind: 'model', text, atMs });
    for (const call of asList(record.toolCalls).map(asFields)) if (call) this.#call(call, atMs);
  }

  #call(call: Fields, atMs: number | null): void {
    const name = asString(call.name) ?? '';
    const status = STATUS[asString(call.status) ?? ''];
    const output = outputOf(call);
    const tool = {
      name,
      ...toolInput(call.args),
      ...(output !== null && { output }),
      ...(status !== undefined && { status }),
    };
    this.#fold.put({ id: asString(call.id) ?? name, kind: 'tool', text: '', tool, atMs });
  }
}

/** What the model was given, without the wrapper around a command's output; null while it runs. */
function outputOf(call: Fields): string | null {
  const response = asFields(asFields(asFields(asList(call.result)[0])?.functionResponse)?.response);
  const output = asString(response?.output) ?? asString(response?.error);
  return output === null ? null : commandOutput(output);
}
