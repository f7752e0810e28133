import { asCount, asFields, asString, asTimeMs, type Fields } from '../../../reconcile/jsonFields.ts';
import { NO_USAGE, type UsageEntry, type UsageReader } from '../../../reconcile/LogUsage.ts';

/** Reads the usage in lines of Claude Code's log. */
export const claudeUsage: UsageReader = { state: {}, take: usageIn };

/** An answer of several parts has a line for each part, and every line has the usage of the whole answer. */
function usageIn(record: Fields): UsageEntry | null {
  const message = record.type === 'assistant' ? asFields(record.message) : null;
  const usage = asFields(message?.usage);
  if (!message || !usage || message.model === '<synthetic>') return null;
  const input = asCount(usage.input_tokens);
  const cacheRead = asCount(usage.cache_read_input_tokens);
  const cacheWrite = asCount(usage.cache_creation_input_tokens);
  return {
    ...NO_USAGE,
    id: `${asString(message.id) ?? asString(record.uuid)}/${asString(record.requestId) ?? ''}`,
    atMs: asTimeMs(record.timestamp),
    model: asString(message.model),
    ...{ input, cacheRead, cacheWrite },
    allInput: input === null ? null : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: asCount(usage.output_tokens),
    cost: asCount(record.costUSD),
    isWhole: asString(message.stop_reason) !== null, // the output of an answer that has not stopped is not counted yet
  };
}
