import { hasActiveParts, lexMarkdown } from '../lexMarkdown.ts';

const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/;
const CODE_SPANS = /(`+)(?!`)(?:[^`]|(?!\1(?!`))`+)*?\1(?!`)/g;
/** In a longer line, backquotes are not paired, and HTML is escaped in code too. */
const MOST_LINE_CHARS = 4000;

/**
 * Returns `text` as Markdown without HTML, pictures and hidden addresses. Null if escaping single characters is not enough, or if `text`
 * is not for a Markdown reader; show it as plain text then.
 */
export function quietMarkdown(text: string): string | null {
  let isCode = false;
  const lines = text.split('\n').map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    return isCode ? line : quietLine(line);
  });
  const quiet = lines.join('\n');
  const tokens = lexMarkdown(quiet);
  return tokens === null || hasActiveParts(tokens) ? null : quiet;
}

function quietLine(line: string): string {
  if (line.length > MOST_LINE_CHARS) return quietWords(line);
  let result = '';
  let done = 0;
  for (const { 0: span, index } of line.matchAll(CODE_SPANS)) {
    result += quietWords(line.slice(done, index)) + span;
    done = index + span.length;
  }
  return result + quietWords(line.slice(done));
}

function quietWords(words: string): string {
  // Uses an entity, because a backslash would become part of an address before it and leave the tag.
  return words.replace(/<(?=[A-Za-z/!?])/g, '&lt;').replace(/(?<!\\)!\[/g, '!\\[');
}
