import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { FoldedLog } from '../../../reconcile/FoldedLog.ts';
import {
  asFields,
  asList,
  asString,
  asTimeMs,
  type Fields,
  parseObject,
  textOf,
} from '../../../reconcile/jsonFields.ts';
import type { LogTool, OwnLog, ParserStart } from '../../../reconcile/LogMessage.ts';
import { wholeList } from '../../../reconcile/PlanFold.ts';
import { toolInput } from '../../../reconcile/toolInput.ts';
import { commandOutput } from './commandOutput.ts';
import { takeEndedCall, takeOwnLine } from './subAgents.ts';
import { geminiUsage } from './usage.ts';

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
  newParser: (start) => new GeminiLogParser(start),
  newUsage: () => geminiUsage,
  sideLogs: (path) => ({
    folder: dirname(path),
    path: [new RegExp(`^${idStart(path)}[0-9a-f-]+$`), /^[0-9a-f-]{36}\.jsonl$/],
  }),
};

/** A session's file name has the first 8 characters of its id; the folder of its sub-agents has the whole id. */
function idStart(path: string): string {
  return /-([0-9a-f]{8})\.jsonl$/.exec(path)?.[1] ?? '-';
}

/** Text of the program in the person's name. */
const WRAPPED = /^<(session_context|state_snapshot|system_reminder)/;
const STATUS: Readonly<Record<string, NonNullable<LogTool['status']>>> = {
  success: 'done',
  error: 'failed',
  cancelled: 'denied',
};

/**
 * Begins the history that the program gives the model. The program makes a new history when a request is cancelled, an output is shortened
 * or a history is loaded. It then writes all messages again, with new ids and the times of that moment, and last a list of them.
 */
const HISTORY = /^<session_context/;

class GeminiLogParser extends FoldedLog {
  /** The present lines are a history that is written again. */
  #isAgain: boolean;
  /** Time of the last prompt. */
  #promptMs = 0;

  constructor(start?: ParserStart) {
    super({ write_todos: wholeList('todos', 'description') }, start);
    this.#isAgain = start?.state.isAgain === true;
  }

  override get state(): object {
    return { ...super.state, isAgain: this.#isAgain };
  }

  override feed(line: string, side?: string): void {
    const record = parseObject(line);
    if (record && side !== undefined) takeOwnLine(this.subAgentFold, record, basename(side, '.jsonl'));
    else if (record) this.take(record);
    if (side !== undefined && record?.kind === 'subagent') this.subAgentFold.stoppedBefore(this.#promptMs);
  }

  override take(record: Fields): void {
    if (this.session.id === null && typeof record.sessionId === 'string') this.#meta(record);
    const history = asFields(record.$set)?.messages;
    if (Array.isArray(history)) this.#history(history);
    else this.#message(record);
  }

  /** The list of a history: the first list begins the log; later ones list messages that were already written, once or twice. */
  #history(messages: readonly unknown[]): void {
    this.#isAgain = false;
    if (!this.fold.isEmpty) return;
    for (const message of messages.map(asFields)) if (message) this.#message(message);
  }

  #meta(record: Fields): void {
    this.session = {
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
    if (HISTORY.test(text) && !this.fold.isEmpty) this.#isAgain = true;
    if (asString(record.model) !== null) this.#isAgain = false; // only an answer that a model has just given names its model
    if (this.#isAgain) return;
    if (record.type === 'user' && text !== '' && !WRAPPED.test(text)) {
      this.fold.put({ id, kind: 'user', text, atMs });
      this.#promptMs = atMs ?? this.#promptMs;
      this.subAgentFold.stoppedBefore(this.#promptMs);
    }
    if (record.type !== 'gemini') return;
    if (text !== '') this.fold.put({ id, kind: 'model', text, atMs });
    for (const call of asList(record.toolCalls).map(asFields)) if (call) this.#call(call, atMs);
  }

  #call(call: Fields, atMs: number | null): void {
    const name = asString(call.displayName) ?? asString(call.name) ?? ''; // the screen shows the display name
    const status = STATUS[asString(call.status) ?? ''];
    const output = outputOf(call);
    const tool = {
      name,
      ...toolInput(call.args),
      ...(output !== null && { output }),
      ...(status !== undefined && { status }),
    };
    const id = asString(call.id) ?? name;
    takeEndedCall(this.subAgentFold, call);
    this.#planned(id, call, status);
    this.fold.put({ id, kind: 'tool', text: '', tool, atMs });
  }

  /** A message is written again when one of its calls ends: lists of calls that ended earlier are not the newest. */
  #planned(id: string, call: Fields, status: LogTool['status']): void {
    if (status === undefined || this.fold.get(id)?.tool?.status !== undefined) return;
    this.planFold.called(id, asString(call.name) ?? '', call.args);
    this.planFold.answered(id, { isFailed: status !== 'done' });
  }
}

/** The output that the model got, without the wrapper around a command's output; null while the call runs. */
function outputOf(call: Fields): string | null {
  const response = asFields(asFields(asFields(asList(call.result)[0])?.functionResponse)?.response);
  const output = asString(response?.output) ?? asString(response?.error);
  return output === null ? null : commandOutput(output);
}
