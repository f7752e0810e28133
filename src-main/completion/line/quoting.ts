import type { QuotingDialect } from '../../shells/shellLanguage.ts';

export type Quote = '' | '"' | "'";

/** Control characters would break the line, or act on the terminal when the shell shows it. */
const CONTROL = /\p{Cc}/u;
const UNSAFE = /[^\w./:@%+=,\-\u00a0-\u{10ffff}]/gu;

/** The character that escapes the next one. */
export function escapeChar(dialect: QuotingDialect): string {
  return dialect === 'backquote' ? '`' : '\\';
}

export interface QuoteStyle {
  dialect: QuotingDialect;
  quote: Quote;
  /** Leaves the quote open, so that the person can continue within it. */
  isOpen?: boolean;
  /** A leading `~` means the home folder. */
  hasHome?: boolean;
}

/** Quotes `value` for the command line, so that it can replace a word that starts with `quote`. */
export function quoteWord(value: string, { dialect, quote, isOpen = false, hasHome = false }: QuoteStyle): string {
  if (CONTROL.test(value)) return quoteControls(value, dialect);
  // bash and zsh expand ! in double quotes, and they keep a backslash before it.
  const used = quote === '"' && dialect === 'posix' && value.includes('!') ? "'" : quote;
  const end = isOpen ? '' : used;
  if (dialect === 'backquote') return quoteDoubled(value, used, isOpen);
  if (used === "'") {
    return dialect === 'backslash'
      ? `'${value.replace(/[\\']/g, '\\$&')}${end}`
      : `'${value.replaceAll("'", "'\\''")}${end}`;
  }
  if (used === '"') return `"${value.replace(dialect === 'backslash' ? /["\\$]/g : /["\\$`]/g, '\\$&')}${end}`;
  if (hasHome && value.startsWith('~')) return `~${value.slice(1).replace(UNSAFE, '\\$&')}`;
  const escaped = value.replace(UNSAFE, '\\$&');
  return escaped.startsWith('=') ? `\\${escaped}` : escaped; // zsh replaces =NAME by the path of the command
}

function quoteDoubled(value: string, quote: Quote, isOpen: boolean): string {
  if (quote === '"') return `"${value.replace(/["$`]/g, '`$&')}${isOpen ? '' : '"'}`;
  if (quote === '' && !/[^\w./\\:~+=\-\u00a0-\u{10ffff}]/u.test(value)) return value;
  return `'${value.replaceAll("'", "''")}${isOpen ? '' : "'"}`;
}

/** Writes bytes in octal, which bash, zsh and fish all read. pwsh has no form that works in all versions, so its value is only quoted. */
function quoteControls(value: string, dialect: QuotingDialect): string {
  if (dialect === 'backquote') return quoteDoubled(value, "'", false);
  const octal = (text: string) =>
    [...new TextEncoder().encode(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  if (dialect === 'posix') return `$'${value.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, octal)}'`;
  return [...value].map((char) => (CONTROL.test(char) ? hexBytes(char) : char.replace(UNSAFE, '\\$&'))).join('');
}

function hexBytes(char: string): string {
  return [...new TextEncoder().encode(char)].map((byte) => `\\X${byte.toString(16).padStart(2, '0')}`).join('');
}
