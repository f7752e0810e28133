/** What a word on the command line may stand for. */
export type CompletionKind = 'commands' | 'files' | 'branches';

/** The word to complete: `text.slice(from, to)` is as typed, `word` as the shell would read it. */
export interface CompletionPlace {
  kinds: readonly CompletionKind[];
  word: string;
  from: number;
  to: number;
  quote: Quote;
}

export type Quote = '' | '"' | "'";

/** Words after which the command proper still comes. */
const PREFIXES = new Set([
  'sudo',
  'doas',
  'env',
  'exec',
  'command',
  'nohup',
  'time',
  'nice',
  'xargs',
  'builtin',
  'then',
  'do',
  'else',
  '!',
]);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** Subcommands of git whose arguments are branches before they are files. */
const BRANCH_COMMANDS = new Set([
  'branch',
  'checkout',
  'cherry-pick',
  'diff',
  'log',
  'merge',
  'push',
  'rebase',
  'reset',
  'show',
  'switch',
  'worktree',
]);

/** Where completion would act with the caret at `caret`. Only what stands before the caret is read. */
export function completionPlace(text: string, caret: number): CompletionPlace {
  const { words, last } = readWords(text.slice(0, caret));
  const place = { word: last.value, from: last.from, to: caret, quote: last.quote };
  const before = words.filter((word) => !ASSIGNMENT.test(word));
  while (before[0] !== undefined && PREFIXES.has(before[0])) before.shift();
  if (last.afterRedirect) return { ...place, kinds: ['files'] };
  if (before.length === 0) return { ...place, kinds: /[/~]/.test(last.value) ? ['files'] : ['commands'] };
  const isBranch = before[0] === 'git' && BRANCH_COMMANDS.has(before[1] ?? '');
  return { ...place, kinds: isBranch ? ['branches', 'files'] : ['files'] };
}

interface LastWord {
  value: string;
  from: number;
  quote: Quote;
  afterRedirect: boolean;
}

/** Splits the last simple command into its finished words and the one that is being typed. */
function readWords(text: string): { words: string[]; last: LastWord } {
  let words: string[] = [];
  let last: LastWord = { value: '', from: 0, quote: '', afterRedirect: false };
  let isRedirect = false;
  const startAt = (from: number): LastWord => ({ value: '', from, quote: '', afterRedirect: isRedirect });
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (last.quote) {
      if (char === last.quote) last.quote = '';
      else if (char === '\\' && last.quote === '"' && /["\\$`]/.test(text.charAt(at + 1)))
        last.value += text.charAt(++at);
      else last.value += char;
    } else if (char === '\\' && at + 1 < text.length) {
      last.value += text.charAt(++at);
    } else if (char === '"' || char === "'") {
      last.quote = char;
    } else if (/[\s;|&()<>]/.test(char)) {
      if (at > last.from) words = isRedirect ? words : [...words, last.value];
      if (/[;|&(\n]/.test(char)) words = [];
      isRedirect = /[<>]/.test(char) || (isRedirect && at === last.from && /\s/.test(char));
      last = startAt(at + 1);
    } else {
      last.value += char;
    }
  }
  return { words, last };
}

/** `value` as it must stand on the command line within `quote`, without the closing quote. */
export function quoteWord(value: string, quote: Quote): string {
  if (quote === "'") return `'${value.replaceAll("'", "'\\''")}`;
  if (quote === '"') return `"${value.replace(/["\\$`]/g, '\\$&')}`;
  // A leading ~ is left alone: it stands for the home folder.
  return value.replace(/[^\w./~:@%+=,\-\u0080-\u{10ffff}]/gu, '\\$&');
}

/** The longest start that all have in common. */
export function commonStart(words: readonly string[]): string {
  const [first = '', ...others] = words;
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && other.charAt(same) === first.charAt(same)) same++;
    length = same;
  }
  return first.slice(0, length);
}

/** What to put in the word's place for a chosen completion: a finished word is closed and followed by a space, a folder is not. */
export function finishedWord(value: string, quote: Quote): string {
  return value.endsWith('/') ? quoteWord(value, quote) : `${quoteWord(value, quote)}${quote} `;
}
