const MAX_TOOL_CHARS = 100_000;
/** The last word of a cut text may be the beginning of a secret, which no pattern finds without its end. A longer word is data. */
const CUT_WORD = /(?<!\S)\S{1,4096}$/u;

/** Cuts a tool's long input or output, as the import keeps it, in front of a word. The agent's log still has all of it. */
export function cutImported(text: string): string {
  if (text.length <= MAX_TOOL_CHARS) return text;
  const kept = text.slice(0, MAX_TOOL_CHARS).replace(CUT_WORD, '');
  return `${kept}\n[${text.length - kept.length} more characters in the agent's own log]`;
}
