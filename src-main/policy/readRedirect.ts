import { Unread } from './constructs.ts';
import { readWord } from './readWord.ts';

export interface Redirect {
  readonly operator: string;
  /** The number before the operator, or null. */
  readonly fd: number | null;
  /** A file; or a number or "-" after `>&` and `<&`. */
  readonly target: string;
}

/** Longest first. Without here-documents, `<>` and operators that only one of the shells knows. */
const OPERATORS = ['&>>', '&>', '>>', '>|', '>&', '<&', '>', '<'];

/** Whether a redirection operator begins at `at`. */
export function isRedirect(text: string, at: number): boolean {
  return /^(?:[<>]|&>)/.test(text.slice(at, at + 2));
}

/** Reads the redirection whose operator is at `at`, after the number `fd`. */
export function readRedirect(
  text: string,
  at: number,
  fd: number | null,
): { redirect: Redirect; end: number } | Unread {
  if (text.startsWith('<<', at)) return new Unread('heredoc', at);
  if (/^[<>]\(/.test(text.slice(at, at + 2))) return new Unread('process_substitution', at);
  const operator = OPERATORS.find((each) => text.startsWith(each, at));
  if (operator === undefined || text.startsWith('<>', at) || (fd !== null && operator.startsWith('&')))
    return new Unread('redirect', at);
  const after = at + operator.length;
  // zsh: <1-9> and <-> are numbers in a file's name
  if (operator === '<' && /[0-9-]/.test(text.charAt(after))) return new Unread('glob', at);
  return readTarget(text, { operator, fd, after });
}

function readTarget(
  text: string,
  { operator, fd, after }: { operator: string; fd: number | null; after: number },
): { redirect: Redirect; end: number } | Unread {
  let start = after;
  while (text.charAt(start) === ' ') start += 1;
  const read = readWord(text, start);
  if (read instanceof Unread) return read;
  const isCopy = operator.length === 2 && operator.endsWith('&');
  if (read.end === start || (isCopy && (start !== after || !/^(?:\d|-)$/.test(text.slice(start, read.end)))))
    return new Unread('redirect', after);
  // a number before the next operator belongs to that operator: always in zsh, in bash after all operators except >& and <&
  if (isRedirect(text, read.end) && /^\d+$/.test(text.slice(start, read.end))) return new Unread('redirect', start);
  return { redirect: { operator, fd, target: read.word.text }, end: read.end };
}

/** Whether a command reads from a pipe (`from`) or writes into one (`into`). */
export interface Piped {
  readonly from: boolean;
  readonly into: boolean;
}

/** zsh starts nothing if one descriptor is both read and written by redirections or a pipe; bash uses the last one. */
export function findMixed(redirects: readonly Redirect[], { from, into }: Piped, at: number): Unread | null {
  const read = new Set<number>(from ? [0] : []);
  const written = new Set<number>(into ? [1] : []);
  for (const { operator, fd } of redirects) {
    if (operator.startsWith('<')) read.add(fd ?? 0);
    else if (operator.startsWith('&')) written.add(1).add(2);
    else written.add(fd ?? 1);
  }
  return [...read].some((fd) => written.has(fd)) ? new Unread('redirect', at) : null;
}
