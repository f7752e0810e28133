import { commandOutput } from '../../conversations/extraction/extractors/agents/gemini/commandOutput.ts';
import {
  asCount,
  asFields,
  asList,
  asString,
  asTimeMs,
  type Fields,
} from '../../conversations/extraction/reconcile/jsonFields.ts';
import type { LogTool } from '../../conversations/extraction/reconcile/LogMessage.ts';
import { NO_USAGE } from '../../conversations/extraction/reconcile/LogUsage.ts';
import { sessionOf } from '../../conversations/extraction/reconcile/sessionOf.ts';
import { toolInput } from '../../conversations/extraction/reconcile/toolInput.ts';
import { uuidIn } from './fromOwnLog.ts';
import type { PastAgent, PastSession, PastSink, RecordReader } from './PastAgent.ts';

/** Qwen Code's `~/.qwen/projects/<folder>/chats/<session>.jsonl`. */
export const qwen: PastAgent = {
  agent: 'qwen',
  checked: ['0.15.10'],
  logs: [
    {
      places: ({ home, env }) => [
        {
          folder: `${env.QWEN_HOME ?? `${home}/.qwen`}/projects`,
          path: [/^[\w.-]+$/, /^chats$/, /^[0-9a-f-]{36}\.jsonl$/],
        },
      ],
      log: {
        form: 'lines',
        idOf: uuidIn,
        isWanted: (line) => !line.includes('"subtype":"attribution_snapshot"'),
        newReader: (sink, { state }) => new QwenReader(sink, state),
      },
    },
  ],
  resume: (id) => `qwen --resume ${id}`,
};

const STATUS: Readonly<Record<string, LogTool['status']>> = { success: 'done', error: 'failed', cancelled: 'denied' };

class QwenReader implements RecordReader {
  readonly #sink: PastSink;
  #session: PastSession;

  constructor(sink: PastSink, state: Fields) {
    this.#sink = sink;
    this.#session = { ...sessionOf(state), version: asString(state.version), title: '', parent: null };
  }

  get session(): PastSession {
    return this.#session;
  }

  get state(): object {
    return { session: this.#session, version: this.#session.version };
  }

  take(record: Fields): void {
    const { id, cwd, startedMs, version } = this.#session;
    const atMs = asTimeMs(record.timestamp);
    this.#session = {
      ...this.#session,
      id: id ?? asString(record.sessionId),
      cwd: cwd ?? asString(record.cwd),
      startedMs: startedMs ?? atMs,
      version: asString(record.version) ?? version,
    };
    const uuid = asString(record.uuid);
    if (uuid === null) return;
    const parts = asList(asFields(record.message)?.parts)
      .map(asFields)
      .filter((part) => part !== null);
    if (record.type === 'user') this.#said({ uuid, atMs, kind: 'user' }, parts);
    else if (record.type === 'assistant') this.#answer({ uuid, atMs, record }, parts);
    else if (record.type === 'tool_result') this.#result(asFields(record.toolCallResult), parts);
  }

  #said({ uuid, atMs, kind }: { uuid: string; atMs: number | null; kind: 'user' | 'model' }, parts: Fields[]): void {
    const text = parts
      .filter(({ thought }) => thought !== true)
      .map((part) => asString(part.text) ?? '')
      .join('')
      .trim();
    if (text !== '') this.#sink.fold.put({ id: uuid, kind, text, atMs });
  }

  #answer({ uuid, atMs, record }: { uuid: string; atMs: number | null; record: Fields }, parts: Fields[]): void {
    this.#said({ uuid, atMs, kind: 'model' }, parts);
    for (const [at, { functionCall }] of parts.entries()) {
      const call = asFields(functionCall);
      if (!call) continue;
      const tool = { name: asString(call.name) ?? '', ...toolInput(call.args) };
      this.#sink.fold.put({ id: asString(call.id) ?? `${uuid}/${at}`, kind: 'tool', text: '', tool, atMs });
    }
    const usage = asFields(record.usageMetadata);
    if (!usage) return;
    const cached = asCount(usage.cachedContentTokenCount) ?? 0;
    const input = asCount(usage.promptTokenCount);
    this.#sink.usage({
      ...NO_USAGE,
      ...{ id: uuid, atMs, model: asString(record.model), output: asCount(usage.candidatesTokenCount) },
      input: input === null ? null : Math.max(0, input - cached), // Qwen Code includes tokens from the cache in its input
      cacheRead: cached,
    });
  }

  #result(result: Fields | null, parts: Fields[]): void {
    const response = asFields(parts.map(({ functionResponse }) => asFields(functionResponse)).find(Boolean));
    const id = asString(result?.callId) ?? asString(response?.id);
    if (id === null) return;
    const given = asFields(response?.response);
    const output = asString(result?.resultDisplay) ?? asString(given?.output) ?? asString(given?.error);
    const status = STATUS[asString(result?.status) ?? ''];
    this.#sink.fold.tool(id, { ...(output !== null && { output: commandOutput(output) }), ...(status && { status }) });
  }
}
