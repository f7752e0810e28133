import { Lexer, type Token, type Tokens, walkTokens } from 'marked';

/** The lexer takes the square of the time for marks of emphasis: at this many a fifth of a second, more than that is no prose. */
const MOST_MARKS = 4000;
const MOST_CHARS = 512 * 1024;
/** Quotations and lists within one another, each of which the lexer reads again. */
const TOO_DEEP = /^(?:[ \t]{0,8}(?:>|[*+-]|\d{1,9}[.)])){40}/m;

/** `text` as tokens of GitHub's Markdown; null for what nobody would read as Markdown: too long, too deep, only marks. */
export function lexMarkdown(text: string): Token[] | null {
  if (text.length > MOST_CHARS || (text.match(/[*_]/g)?.length ?? 0) > MOST_MARKS) return null;
  if (TOO_DEEP.test(text)) return null;
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch (error) {
    if (error instanceof RangeError) return null; // nested deeper than the stack: nothing to read
    throw error;
  }
}

/** The address as it is safe to write down, null for every scheme but these three. */
export function safeLink(href: string): string | null {
  const url = URL.parse(href);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

/** Whether something in the tokens is drawn by HTML of its own, loads something, or leads where no link may. */
export function hasActiveParts(tokens: Token[]): boolean {
  let isActive = false;
  walkTokens(tokens, (token) => {
    const { type, href } = token as Tokens.Generic;
    if (type === 'html' || type === 'image' || type === 'def') isActive = true;
    if (type === 'link' && safeLink(String(href)) === null) isActive = true;
  });
  return isActive;
}
