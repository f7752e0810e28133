import { codexLog } from '../../conversations/extraction/extractors/agents/codex/ownLog.ts';
import { asFields, asString, asTimeMs, type Fields } from '../../conversations/extraction/reconcile/jsonFields.ts';
import { asCount, type Extra, readerOf, uuidIn } from './fromOwnLog.ts';
import { NO_USAGE, type PastAgent, type PastSession, type PastSink } from './PastAgent.ts';

/** Codex's `rollout-*.jsonl` files. */
export const codex: PastAgent = {
  agent: 'codex',
  checked: ['0.169.0'],
  logs: [
    {
      places: ({ home, env }) =>
        ['sessions', 'archived_sessions'].map((name) => ({
          folder: `${env.CODEX_HOME ?? `${home}/.codex`}/${name}`,
          path:
            name === 'sessions' ? [/^\d{4}$/, /^\d{2}$/, /^\d{2}$/, /^rollout-.*\.jsonl$/] : [/^rollout-.*\.jsonl$/],
        })),
      log: {
        form: 'lines',
        idOf: uuidIn,
        isWanted: (line) => !NEEDLESS.some((sign) => line.includes(sign)),
        newReader: (sink, { state }) => readerOf(codexLog, new CodexExtra(sink, state), { sink, state }),
      },
    },
  ],
  resume: (id) => `codex resume ${id}`,
};

/** Matches instructions and reasoning, which are most of the bytes. */
const NEEDLESS = ['"type":"additional_tools"', '"role":"developer"', '"type":"world_state"', '"encrypted_content"'];

class CodexExtra implements Extra {
  readonly #sink: PastSink;
  #version: string | null;
  #parent: string | null;
  #model: string | null;
  /** The log's total of all answers so far. */
  #total: number;

  constructor(sink: PastSink, state: Fields) {
    this.#sink = sink;
    this.#version = asString(state.version);
    this.#parent = asString(state.parent);
    this.#model = asString(state.model);
    this.#total = asCount(state.total) ?? 0;
  }

  get state(): object {
    return { version: this.#version, parent: this.#parent, model: this.#model, total: this.#total };
  }

  get facts(): Partial<PastSession> {
    return { version: this.#version, parent: this.#parent };
  }

  take(record: Fields): void {
    const payload = asFields(record.payload);
    const atMs = asTimeMs(record.timestamp);
    if (record.type === 'session_meta' && this.#version === null) {
      this.#version = asString(payload?.cli_version);
      this.#parent = asString(payload?.forked_from_id);
    }
    if (record.type === 'turn_context') this.#model = asString(payload?.model) ?? this.#model;
    if (payload?.type === 'token_count') this.#counted(asFields(payload.info), atMs);
    if (payload?.type === 'task_complete')
      this.#sink.usage({
        ...NO_USAGE,
        id: `turn:${asString(payload.turn_id) ?? record.timestamp}`,
        atMs,
        busyMs: asCount(payload.duration_ms),
      });
  }

  /** The log repeats the total when a limit changes. Only a total that has grown means another answer. */
  #counted(info: Fields | null, atMs: number | null): void {
    const total = asCount(asFields(info?.total_token_usage)?.total_tokens);
    const last = asFields(info?.last_token_usage);
    if (total === null || !last || total <= this.#total) return;
    this.#total = total;
    const cached = asCount(last.cached_input_tokens) ?? 0;
    const input = asCount(last.input_tokens);
    this.#sink.usage({
      ...NO_USAGE,
      id: `total:${total}`,
      atMs,
      model: this.#model,
      input: input === null ? null : Math.max(0, input - cached), // Codex includes tokens from the cache in its input
      output: asCount(last.output_tokens),
      cacheRead: cached,
      cacheWrite: asCount(last.cache_write_input_tokens),
    });
  }
}
