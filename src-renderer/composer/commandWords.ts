/** A word of the line in the place of a command. */
export interface CommandWord {
  word: string;
  from: number;
  to: number;
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const REDIRECT = /^(?:\d*[<>]|&>)/;
/** A longer text was pasted, and is not checked while the person types. */
const MAX_CHARS = 2000;

/**
 * The command of each part of the line's first pipeline. A command before `;`, `&&` or a newline may define those after it, and words with quotes,
 * expansions or compound commands may be anything: the search stops there, so that the shell would really look up every word returned.
 */
export function commandWords(text: string): CommandWord[] {
  if (text.length > MAX_CHARS) return [];
  const found: CommandWord[] = [];
  let at = 0;
  let isCommandNext = true;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t') {
      at += 1;
    } else if (char === '|' && text.charAt(at + 1) !== '|') {
      if (isCommandNext) break;
      isCommandNext = true;
      at += text.charAt(at + 1) === '&' ? 2 : 1;
    } else {
      const end = wordEnd(text, at);
      if (end === null || end === at) break;
      const word = text.slice(at, end);
      if (isCommandNext && REDIRECT.test(word)) break;
      if (isCommandNext && !ASSIGNMENT.test(word)) {
        if (/["'\\]/.test(word)) break;
        found.push({ word, from: at, to: end });
        isCommandNext = false;
      }
      at = end;
    }
  }
  // A part that continues as a function, or with unknown syntax, is not judged.
  const rest = text.slice(at).trimStart();
  const last = found.at(-1);
  return last && rest.startsWith('(') && text.slice(last.to, at).trim() === '' ? found.slice(0, -1) : found;
}

/** End of the word that begins at `at`, with its quotes; null if the pipeline ends there or the syntax is more than a word. */
function wordEnd(text: string, at: number): number | null {
  let quote = '';
  let end = at;
  for (; end < text.length; end += 1) {
    const char = text.charAt(end);
    if (char === '\n') return quote === '' && end > at ? end : null;
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (quote === '"' && (/[\\`]/.test(char) || text.startsWith('$(', end))) return null;
    } else if (/["']/.test(char)) quote = char;
    else if (/[ \t|]/.test(char)) break;
    else if (char === '#' && end === at) return null;
    else if (/[;()`{}\\]/.test(char) || (char === '$' && text.charAt(end + 1) === '('))
      return end > at && char === ';' ? end : null;
    else if (char === '&' && !/[<>]/.test(text.charAt(end - 1)) && text.charAt(end + 1) !== '>')
      return end > at ? end : null;
    else if (char === '<' && text.charAt(end + 1) === '<') return null;
  }
  return quote === '' ? end : null;
}
