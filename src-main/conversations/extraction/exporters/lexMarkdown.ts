import { Lexer, type Token, type Tokens, walkTokens } from 'marked';

/** The lexer's time grows with the square of the number of emphasis marks: 0.2 s at this number. Text with more marks is not prose. */
const MOST_MARKS = 4000;
const MOST_CHARS = 512 * 1024;
/** The same for the characters before an @, which may be an address: 17 s at 80,000. */
const MOST_BEFORE_AT = 4000;
/** Nested quotations and lists; the lexer reads each level again. */
const TOO_DEEP = /^(?:[ \t]{0,8}(?:>|[*+-]|\d{1,9}[.)])){40}/m;

/** `text` as tokens of GitHub's Markdown; null if it is too long, nested too deeply or has too many marks or too long words for people. */
export function lexMarkdown(text: string): Token[] | null {
  if (text.length > MOST_CHARS || (text.match(/[*_]/g)?.length ?? 0) > MOST_MARKS) return null;
  if (TOO_DEEP.test(text) || text.split(/\s+/).some((word) => word.lastIndexOf('@') > MOST_BEFORE_AT)) return null;
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch (error) {
    if (error instanceof RangeError) return null; // nested deeper than the stack allows
    throw error;
  }
}

/** The normalized address; null for every scheme but these three. */
export function safeLink(href: string): string | null {
  const url = URL.parse(href);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

/** Whether the tokens contain HTML, load something, or link to a forbidden address. */
export function hasActiveParts(tokens: Token[]): boolean {
  let isActive = false;
  walkTokens(tokens, (token) => {
    const { type, href } = token as Tokens.Generic;
    if (type === 'html' || type === 'image' || type === 'def') isActive = true;
    if (type === 'link' && safeLink(String(href)) === null) isActive = true;
  });
  return isActive;
}
