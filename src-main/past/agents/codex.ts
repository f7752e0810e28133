import { codexLog } from '../../conversations/extraction/extractors/agents/codex/ownLog.ts';
import {
  asCount,
  asFields,
  asString,
  asTimeMs,
  type Fields,
} from '../../conversations/extraction/reconcile/jsonFields.ts';
import { NO_USAGE } from '../../conversations/extraction/reconcile/LogUsage.ts';
import { type Extra, readerOf, uuidIn } from './fromOwnLog.ts';
import type { PastAgent, PastSession, PastSink } from './PastAgent.ts';

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
        isWanted: (line) => !NEEDLESS.test(line),
        newReader: (sink, { state }) => readerOf(codexLog, new CodexExtra(sink, state), { sink, state }),
      },
    },
  ],
  resume: (id) => `codex resume ${id}`,
};

/** Matches instructions and reasoning, which are most of the bytes. */
const NEEDLESS = /"type":"(?:additional_tools|world_state)"|"role":"developer"|"encrypted_content"/;

class CodexExtra implements Extra {
  readonly #sink: PastSink;
  #version: string | null;
  #parent: string | null;

  constructor(sink: PastSink, state: Fields) {
    this.#sink = sink;
    this.#version = asString(state.version);
    this.#parent = asString(state.parent);
  }

  get state(): object {
    return { version: this.#version, parent: this.#parent };
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
    if (payload?.type === 'task_complete')
      this.#sink.usage({
        ...NO_USAGE,
        id: `turn:${asString(payload.turn_id) ?? record.timestamp}`,
        atMs,
        busyMs: asCount(payload.duration_ms),
      });
  }
}
