import { asCount, asFields, asString, asTimeMs, type Fields } from '../../../reconcile/jsonFields.ts';
import { NO_USAGE, type UsageEntry, type UsageReader } from '../../../reconcile/LogUsage.ts';

/** Reads the usage in lines of Gemini CLI's log. */
export const geminiUsage: UsageReader = { state: {}, take: usageIn };

function usageIn(record: Fields): UsageEntry | null {
  const tokens = asFields(record.tokens);
  const id = asString(record.id);
  if (!tokens || id === null || record.type !== 'gemini') return null;
  const cached = asCount(tokens.cached) ?? 0;
  const input = asCount(tokens.input);
  const output = asCount(tokens.output);
  return {
    ...NO_USAGE,
    id,
    atMs: asTimeMs(record.timestamp),
    model: asString(record.model),
    input: input === null ? null : Math.max(0, input - cached), // Gemini CLI includes tokens from the cache in its input
    allInput: input,
    output: output === null ? null : output + (asCount(tokens.thoughts) ?? 0),
    cacheRead: cached,
  };
}
