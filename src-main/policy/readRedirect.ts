import { Unread } from './constructs.ts';
import { readWord } from './readWord.ts';

export interface Redirect {
  readonly operator: string;
  /** The number before the operator; null when there is none. */
  readonly fd: number | null;
  /** A file, or a number or "-" behind `>&` and `<&`. */
  readonly target: string;
}

/** Longest first. Here-documents and `<>` are not among them, nor what only one of the shells knows. */
const OPERATORS = ['&>>', '&>', '>>', '>|', '>&', '<&', '>', '<'];

/** The redirection whose operator stands at `at`, behind the number `fd`. */
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
  return { redirect: { operator, fd, target: read.word.text }, end: read.end };
}
