import { type Construct, Unread } from './constructs.ts';

/** One word of a command as the program gets it, and whether it was written without quotes (only then a shell looks for an alias). */
export interface Word {
  readonly text: string;
  readonly isPlain: boolean;
}

/** ASCII characters that every bash and zsh, under all their options, takes literally inside a word. */
const PLAIN = /[A-Za-z0-9_./:,@%+=-]/;
/** Characters that end a word and are not part of it. */
export const WORD_END = /[ \n;&|<>()]/;
/** Characters that may follow a backslash outside quotes. Operators are excluded, because another reader may take them for operators. */
const ESCAPABLE = /[A-Za-z0-9_./:,@%+= \-'"\\$`*?[\]{}~#^]/;

const WHAT_IT_IS: Readonly<Record<string, Construct>> = {
  $: 'parameter_expansion',
  '`': 'command_substitution',
  '*': 'glob',
  '?': 'glob',
  '[': 'glob',
  ']': 'glob',
  '{': 'brace',
  '}': 'brace',
  '~': 'tilde',
  '^': 'caret',
  '#': 'comment',
  '!': 'history_expansion',
};

interface Piece {
  readonly text: string;
  readonly end: number;
}

/** Reads the word that begins at `at`. `text` has passed `findUnseen`. */
export function readWord(text: string, at: number): { word: Word; end: number } | Unread {
  let value = '';
  let isPlain = true;
  let end = at;
  while (end < text.length && !WORD_END.test(text.charAt(end))) {
    const char = text.charAt(end);
    const piece = char === "'" || char === '"' || char === '\\' ? readQuoted(text, end) : readPlain(text, end, value);
    if (piece instanceof Unread) return piece;
    if (piece.end - end > 1) isPlain = false;
    value += piece.text;
    end = piece.end;
  }
  return { word: { text: value, isPlain }, end };
}

/** `before`: the word so far, without its quotes, which zsh ignores here too. */
function readPlain(text: string, at: number, before: string): Piece | Unread {
  const char = text.charAt(at);
  if (!PLAIN.test(char)) return new Unread(whatIs(text, at), at);
  // zsh: =name is its path; with MAGIC_EQUAL_SUBST also behind "=" and ":"
  if (char === '=' && /^$|[=:]$/.test(before)) return new Unread('equals_expansion', at);
  return { text: char, end: at + 1 };
}

function whatIs(text: string, at: number): Construct {
  const char = text.charAt(at);
  if (char === '$' && text.charAt(at + 1) === '(') return 'command_substitution';
  return WHAT_IT_IS[char] ?? 'non_ascii';
}

function readQuoted(text: string, at: number): Piece | Unread {
  const char = text.charAt(at);
  if (char === "'") return readSingle(text, at);
  return char === '"' ? readDouble(text, at) : readEscaped(text, at);
}

function readSingle(text: string, at: number): Piece | Unread {
  const end = text.indexOf("'", at + 1);
  if (end < 0) return new Unread('unclosed_quote', at);
  // zsh: with RC_QUOTES a quote inside
  if (text.charAt(end + 1) === "'") return new Unread('doubled_quote', end);
  const inside = text.slice(at + 1, end);
  return inside.includes('\n') ? new Unread('quoted_newline', at) : { text: inside, end: end + 1 };
}

function readDouble(text: string, at: number): Piece | Unread {
  let value = '';
  for (let end = at + 1; end < text.length; end++) {
    const char = text.charAt(end);
    if (char === '"') return { text: value, end: end + 1 };
    if (char === '\n') return new Unread('quoted_newline', end);
    if (char === '$' || char === '`') return new Unread(whatIs(text, end), end);
    // before any other character the backslash stays
    if (char === '\\' && /[$`"\\]/.test(text.charAt(end + 1))) end += 1;
    value += text.charAt(end);
  }
  return new Unread('unclosed_quote', at);
}

function readEscaped(text: string, at: number): Piece | Unread {
  const next = text.charAt(at + 1);
  if (next === '') return new Unread('trailing_backslash', at);
  if (next === '\n') return new Unread('line_continuation', at);
  if (ESCAPABLE.test(next)) return { text: next, end: at + 2 };
  return new Unread(next < '\x80' ? 'escaped_operator' : 'non_ascii', at);
}
