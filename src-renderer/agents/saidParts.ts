import { marked, type Token } from 'marked';

/** A piece of one line of Markdown. */
export interface SaidPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** More than a row shows. Another machine may send a text that the lexer takes seconds for. */
const MAX_CHARS = 1_000;

/** The text of a line without the signs of Markdown, for a row, which has room for one line and is a button: it has no links and no markup but code. */
export function saidParts(line: string): SaidPart[] {
  const parts: SaidPart[] = [];
  for (const { text, isCode } of marked.Lexer.lexInline(line.slice(0, MAX_CHARS)).flatMap(partsOf)) {
    const last = parts.at(-1);
    if (last && last.isCode === isCode) parts[parts.length - 1] = { text: last.text + text, isCode };
    else parts.push({ text, isCode });
  }
  return parts;
}

function partsOf(token: Token): SaidPart[] {
  const isSource = token.type === 'html' || token.type === 'image';
  if ('tokens' in token && token.tokens && !isSource) return token.tokens.flatMap(partsOf);
  const text = isSource || !('text' in token) ? token.raw : String(token.text);
  return text === '' ? [] : [{ text, isCode: token.type === 'codespan' }];
}
