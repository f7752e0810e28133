import { hasActiveParts, lexMarkdown } from '../lexMarkdown.ts';

const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/;
const CODE_SPANS = /(`+)(?!`)(?:[^`]|(?!\1(?!`))`+)*?\1(?!`)/g;
/** Behind a longer line backquotes are not paired, and HTML is escaped in its code too. */
const MOST_LINE_CHARS = 4000;

/**
 * `text` as Markdown in which nothing is HTML, loads a picture or hides an address; null when it cannot be made so by escaping a
 * character here and there, or is no text for a Markdown reader: then it is to be shown as it is.
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
  // An entity: a backslash would belong to an address before it, and leave the tag.
  return words.replace(/<(?=[A-Za-z/!?])/g, '&lt;').replace(/(?<!\\)!\[/g, '!\\[');
}
