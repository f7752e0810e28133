import { basename, dirname } from 'node:path';
import {
  asCount,
  asFields,
  asString,
  asTimeMs,
  type Fields,
} from '../../conversations/extraction/reconcile/jsonFields.ts';
import type { LogTool } from '../../conversations/extraction/reconcile/LogMessage.ts';
import { NO_USAGE } from '../../conversations/extraction/reconcile/LogUsage.ts';
import { sessionOf } from '../../conversations/extraction/reconcile/sessionOf.ts';
import { toolInput } from '../../conversations/extraction/reconcile/toolInput.ts';
import type { PastAgent, PastSession, PastSink, RecordReader } from './PastAgent.ts';

/** Copilot CLI's `~/.copilot/session-state/<id>/events.jsonl`; before 1.0 `<id>.jsonl` in the same folder. */
export const copilot: PastAgent = {
  agent: 'copilot',
  checked: ['1.0.102'],
  logs: [
    {
      places: ({ home, env }) =>
        ['session-state', 'history-session-state'].flatMap((name) => {
          const folder = `${env.COPILOT_HOME ?? `${home}/.copilot`}/${name}`;
          return [
            { folder, path: [/^[0-9a-f-]{36}$/, /^events\.jsonl$/] },
            { folder, path: [/^[0-9a-f-]{36}\.jsonl$/] },
          ];
        }),
      log: {
        form: 'lines',
        idOf: (path) => basename(path === `${dirname(path)}/events.jsonl` ? dirname(path) : path, '.jsonl'),
        isWanted: (line) => !line.includes('"type":"system.message"'),
        newReader: (sink, { state }) => new CopilotReader(sink, state),
      },
    },
  ],
  resume: (id) => `copilot --resume=${id}`,
};

/** Matches the line that the program appends to a command's output. */
const SHELL_END = /\n?<(?:shellId: [^>]*|exited with exit code \d+)>\s*$/;

class CopilotReader implements RecordReader {
  readonly #sink: PastSink;
  #session: PastSession;

  constructor(sink: PastSink, state: Fields) {
    this.#sink = sink;
    const version = asString(state.version);
    this.#session = { ...sessionOf(state), version, title: '', parent: null };
  }

  get session(): PastSession {
    return this.#session;
  }

  get state(): object {
    return { session: this.#session, version: this.#session.version };
  }

  take(record: Fields): void {
    const data = asFields(record.data);
    const atMs = asTimeMs(record.timestamp);
    const id = asString(record.id);
    if (!data || id === null) return;
    if (record.type === 'session.start') this.#begin(data);
    else if (record.type === 'user.message') this.#said(id, 'user', { data, atMs });
    else if (record.type === 'assistant.message') this.#said(id, 'model', { data, atMs });
    else if (record.type === 'tool.execution_start') this.#called(data, atMs);
    else if (record.type === 'tool.execution_complete') this.#answered(data);
    else if (record.type === 'session.usage_record' || record.type === 'assistant.usage')
      this.#used(id, asFields(data.usage) ?? data, atMs);
  }

  #begin(data: Fields): void {
    const { id, cwd, startedMs, version } = this.#session;
    this.#session = {
      ...this.#session,
      id: id ?? asString(data.sessionId),
      cwd: cwd ?? asString(asFields(data.context)?.cwd),
      startedMs: startedMs ?? asTimeMs(data.startTime),
      version: asString(data.copilotVersion) ?? version,
    };
  }

  #said(id: string, kind: 'user' | 'model', { data, atMs }: { data: Fields; atMs: number | null }): void {
    const text = asString(data.content)?.trim() ?? '';
    if (text !== '') this.#sink.fold.put({ id, kind, text, atMs });
  }

  #called(data: Fields, atMs: number | null): void {
    const id = asString(data.toolCallId);
    if (id === null) return;
    const tool = { name: asString(data.toolName) ?? '', ...toolInput(data.arguments) };
    this.#sink.fold.put({ id, kind: 'tool', text: '', tool, atMs });
  }

  #answered(data: Fields): void {
    const id = asString(data.toolCallId);
    if (id === null) return;
    const output = asString(asFields(data.result)?.content) ?? asString(asFields(data.error)?.message);
    const isDenied = /denied|rejected/.test(asString(asFields(data.error)?.code) ?? '');
    const status: LogTool['status'] = data.success === true ? 'done' : isDenied ? 'denied' : 'failed';
    this.#sink.fold.tool(id, { status, ...(output !== null && { output: output.replace(SHELL_END, '') }) });
  }

  #used(id: string, usage: Fields, atMs: number | null): void {
    this.#sink.usage({
      ...NO_USAGE,
      ...{ id, atMs, model: asString(usage.model) },
      input: asCount(usage.inputTokens),
      output: asCount(usage.outputTokens),
      cacheRead: asCount(usage.cacheReadTokens),
      cacheWrite: asCount(usage.cacheWriteTokens),
      busyMs: asCount(usage.duration), // `cost` counts requests of a plan, not money
    });
  }
}
