import { asCount, asFields, asString, asTimeMs, type Fields } from '../../../reconcile/jsonFields.ts';
import { NO_USAGE, type UsageEntry, type UsageReader } from '../../../reconcile/LogUsage.ts';

/** Reads the usage in lines of Codex's rollouts. */
export class CodexUsage implements UsageReader {
  #model: string | null;
  /** The log's total of all answers so far. */
  #total: number;

  constructor(state: Fields = {}) {
    this.#model = asString(state.model);
    this.#total = asCount(state.total) ?? 0;
  }

  get state(): object {
    return { model: this.#model, total: this.#total };
  }

  take(record: Fields): UsageEntry | null {
    const payload = asFields(record.payload);
    if (record.type === 'turn_context') this.#model = asString(payload?.model) ?? this.#model;
    return payload?.type === 'token_count' ? this.#counted(asFields(payload.info), asTimeMs(record.timestamp)) : null;
  }

  /** The log repeats the total when a limit changes. Only a total that has grown means another answer. */
  #counted(info: Fields | null, atMs: number | null): UsageEntry | null {
    const total = asCount(asFields(info?.total_token_usage)?.total_tokens);
    const last = asFields(info?.last_token_usage);
    if (total === null || !last || total <= this.#total) return null;
    const before = this.#total;
    this.#total = total;
    const cached = asCount(last.cached_input_tokens) ?? 0;
    const input = asCount(last.input_tokens);
    return {
      ...NO_USAGE,
      id: `total:${total}`,
      atMs,
      model: this.#model,
      input: input === null ? null : Math.max(0, input - cached), // Codex includes tokens from the cache in its input
      allInput: input,
      output: asCount(last.output_tokens),
      cacheRead: cached,
      cacheWrite: asCount(last.cache_write_input_tokens),
      isWhole: before + (asCount(last.total_tokens) ?? 0) === total, // otherwise the log does not have every answer
    };
  }
}
