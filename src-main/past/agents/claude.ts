import { dirname } from 'node:path';
import { claudeLog } from '../../conversations/extraction/extractors/agents/claude/ownLog.ts';
import { asCount, asString, asTimeMs, type Fields } from '../../conversations/extraction/reconcile/jsonFields.ts';
import { NO_USAGE } from '../../conversations/extraction/reconcile/LogUsage.ts';
import { type Extra, readerOf, subAgentLog, uuidIn } from './fromOwnLog.ts';
import type { PastAgent, PastSession, PastSink } from './PastAgent.ts';

const SUB_AGENT = /^agent-[\w-]+\.jsonl$/;
const PROJECTS =
  (...path: readonly RegExp[]): PastAgent['logs'][number]['places'] =>
  ({ home, env }) => [
    { folder: `${env.CLAUDE_CONFIG_DIR ?? `${home}/.claude`}/projects`, path: [/^[\w.-]+$/, ...path] },
  ];

/** Claude Code's `<config>/projects/<folder>/<session>.jsonl`; of its sub-agents' logs (beside it up to 2.0) only the tokens. */
export const claude: PastAgent = {
  agent: 'claude',
  checked: ['2.1.329'],
  logs: [
    {
      places: PROJECTS(/^[0-9a-f-]{36}\.jsonl$/),
      log: {
        form: 'lines',
        idOf: uuidIn,
        isWanted: (line) => WANTED.test(line),
        newReader: (sink, { state }) => readerOf(claudeLog, new ClaudeExtra(sink, state), { sink, state }),
      },
    },
    {
      places: PROJECTS(/^[0-9a-f-]{36}$/, /^subagents$/, SUB_AGENT),
      log: subAgentLog(claudeLog, (path) => uuidIn(dirname(dirname(path)))),
    },
    { places: PROJECTS(SUB_AGENT), log: subAgentLog(claudeLog, () => null) },
  ],
  resume: (id) => `claude --resume ${id}`,
};

/** Matches both forms that the program has written: with and without a space after the colon. */
const WANTED = /"type": ?"(?:user|assistant|summary|ai-title|custom-title)"|"turn_duration"/;

class ClaudeExtra implements Extra {
  readonly #sink: PastSink;
  #version: string | null;
  #title: string;
  #atMs: number | null = null;

  constructor(sink: PastSink, state: Fields) {
    this.#sink = sink;
    this.#version = asString(state.version);
    this.#title = asString(state.title) ?? '';
  }

  get state(): object {
    return { version: this.#version, title: this.#title };
  }

  get facts(): Partial<PastSession> {
    return { version: this.#version, title: this.#title };
  }

  take(record: Fields): void {
    this.#version = asString(record.version) ?? this.#version;
    this.#title = asString(record.summary) ?? asString(record.aiTitle) ?? asString(record.customTitle) ?? this.#title;
    this.#atMs = asTimeMs(record.timestamp) ?? this.#atMs;
    if (record.subtype === 'turn_duration')
      this.#sink.usage({
        ...NO_USAGE,
        id: `turn:${asString(record.uuid)}`,
        atMs: this.#atMs,
        busyMs: asCount(record.durationMs),
      });
  }
}
