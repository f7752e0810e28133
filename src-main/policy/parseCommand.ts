import { Unread } from './constructs.ts';
import { findUnseen } from './findUnseen.ts';
import { RESERVED_WORDS } from './programs/programs.ts';
import { findMixed, isRedirect, type Redirect, readRedirect } from './readRedirect.ts';
import { readWord, type Word } from './readWord.ts';

export type Separator = ';' | '&&' | '||' | '|' | '\n';

/** A program with its arguments, as both shells would start it. */
export interface SimpleCommand {
  /** The separator before it; null for the first. */
  readonly before: Separator | null;
  /** At least one. */
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** The original text. */
  readonly source: string;
}

export type ParsedCommand = { readonly commands: readonly SimpleCommand[] } | Unread;

const SEPARATORS: readonly Separator[] = ['&&', '||', '|', ';', '\n'];

/**
 * Parses only what bash and zsh, interactive and under all their options, read the same way: simple commands of plain and quoted words, joined by
 * `;`, `&&`, `||`, `|` and line breaks, with plain redirections. Anything else stops the parser: no command is half understood. Ignores the person's
 * aliases and functions (see judgeInShell). Never throws.
 */
export function parseCommand(text: string): ParsedCommand {
  const fault = findUnseen(text) ?? findAnywhere(text);
  if (fault) return fault;
  const commands: SimpleCommand[] = [];
  let before: Separator | null = null;
  for (let at = 0; ; ) {
    const read = readSimple(text, at, before);
    if (read instanceof Unread) return read;
    commands.push(read.command);
    if (read.end === text.length) return { commands };
    const separator = separatorAt(text, read.end);
    if (separator instanceof Unread) return separator;
    before = separator;
    at = read.end + separator.length;
  }
}

/** Constructs that are refused even inside quotes: an interactive shell looks for `!` before quotes, and shells disagree on which ones. */
function findAnywhere(text: string): Unread | null {
  if (text.startsWith(' ')) return new Unread('leading_space', 0);
  const bang = text.indexOf('!');
  if (bang >= 0) return new Unread('history_expansion', bang);
  const continued = text.indexOf('\\\n');
  return continued < 0 ? null : new Unread('line_continuation', continued);
}

function separatorAt(text: string, at: number): Separator | Unread {
  if (text.startsWith('|&', at)) return new Unread('pipe_stderr', at);
  // both shells read it as one operator, as in `case`
  if (text.startsWith(';&', at)) return new Unread('compound', at);
  const separator = SEPARATORS.find((each) => text.startsWith(each, at));
  if (separator) return separator;
  return new Unread(text.charAt(at) === '&' ? 'background' : 'subshell', at);
}

function readSimple(
  text: string,
  start: number,
  before: Separator | null,
): { command: SimpleCommand; end: number } | Unread {
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  let at = start;
  for (;;) {
    while (text.charAt(at) === ' ') at += 1;
    const read = isRedirect(text, at) ? readRedirect(text, at, null) : readWordOrNumber(text, at);
    if (read instanceof Unread) return read;
    if ('redirect' in read) redirects.push(read.redirect);
    else if (read.end > at) words.push(read.word);
    else break;
    at = read.end;
  }
  if (words.length === 0) return new Unread(/[()]/.test(text.charAt(at)) ? 'subshell' : 'empty_command', at);
  const piped = { from: before === '|', into: /^\|(?!\|)/.test(text.slice(at, at + 2)) };
  const fault = judgeFirst(words[0], start) ?? findMixed(redirects, piped, start);
  return fault ?? { command: { before, words, redirects, source: text.slice(start, at).trim() }, end: at };
}

/** A word; or a redirection, if the word is the number before it. */
function readWordOrNumber(text: string, at: number): ReturnType<typeof readRedirect> | ReturnType<typeof readWord> {
  const read = readWord(text, at);
  if (read instanceof Unread || !isRedirect(text, read.end) || !/^\d+$/.test(text.slice(at, read.end))) return read;
  // both shells read one digit as a number, but only one of them reads more
  return read.end === at + 1 ? readRedirect(text, read.end, Number(text.charAt(at))) : new Unread('redirect', at);
}

function judgeFirst(word: Word | undefined, at: number): Unread | null {
  if (!word || word.text.includes('=')) return new Unread('assignment', at);
  if (!word.isPlain) return null;
  if (RESERVED_WORDS.has(word.text)) return new Unread('compound', at);
  return /^[A-Za-z0-9_./][A-Za-z0-9_.+/-]*$/.test(word.text) ? null : new Unread('command_word', at);
}
