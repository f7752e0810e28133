import { kindOf, RESERVED_WORDS } from './programs/programs.ts';

/** Placeholder for any result of an expansion; a private-use character, which is removed from the text before. */
const ANYTHING = '\uE000';

/** A word that contains expansions. */
export interface WildWord {
  /** The fixed parts of the word, with anything between them. */
  readonly parts: readonly string[];
  /** Whether it may be the name of a program that is started. */
  readonly isFirst: boolean;
}

export interface LooseReading {
  /** The text cut into words in two ways, finely and coarsely: every possible word at any depth of quoting, in order. */
  readonly cuts: readonly (readonly string[])[];
  /** Words made by expansions, wildcards or braces. */
  readonly wild: readonly WildWord[];
}

/**
 * The words that a text may contain if it was not understood; for deny rules only. Removes quotes and backslashes at every depth and assumes that
 * they hide nothing. Finds too much on purpose.
 */
export function readLoosely(text: string): LooseReading {
  const bare = unquote(text);
  const fine = bare.split(/:[-=+?]|[\s=,!:;&|<>(){}$`^#@[\]]+/);
  const coarse = bare.split(/[\s;&|<>(){}`]+/);
  return {
    cuts: [fine, coarse].map((words) => words.filter((word) => word !== '')),
    // as part of the surrounding word, and as a command of its own
    wild: [...wildWords(bare), ...wildWords(bare.replaceAll(/\$?\(|[`)]/g, ';'))],
  };
}

function unquote(text: string): string {
  return text
    .replaceAll(/[^\P{C}\n\r\t]/gu, '')
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll(/\$'((?:[^'\\]|\\.)*)'/gs, (_, inside: string) => decodeEscapes(inside))
    .replaceAll(/\$?["']|\\/g, '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\n',
  e: '',
  E: '',
  a: '',
  b: '',
  f: '\n',
  v: '\n',
};

/** Decodes `$'…'` as bash and zsh do. */
function decodeEscapes(inside: string): string {
  return inside.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))/gs,
    (_, ...groups: (string | undefined)[]) => {
      const [hex, short, long, octal, other] = groups;
      if (other !== undefined) return ESCAPES[other] ?? other;
      const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

/** Innermost expansions; the next round replaces those around them. */
const EXPANSIONS =
  /\$\([^()]*\)|\$\{[^{}]*\}|`[^`]*`|\$[A-Za-z_]\w*|\$[0-9@*#?$!-]|[<>=]\([^()]*\)|\{[^{}\s]*\}|\[[^\]\s]*\]|[*?]|![^\s;&|]*/g;
/** Deeper nesting is left unchanged. */
const MAX_DEPTH = 8;

function wildWords(bare: string): WildWord[] {
  let text = bare;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = text.replaceAll(EXPANSIONS, ANYTHING);
    if (next === text) break;
    text = next;
  }
  return text.split(/[;&|\n()<>]+/).flatMap((segment) => {
    const words = segment.split(/\s+/).filter((word) => word !== '');
    return words.flatMap((word, at) => (word.includes(ANYTHING) ? [wildWord(word, words.slice(0, at))] : []));
  });
}

function wildWord(word: string, before: readonly string[]): WildWord {
  const base = word.replace(/^.*\//s, '');
  return {
    parts: (base.includes(ANYTHING) || base === '' ? base : `${ANYTHING}${base}`).split(ANYTHING),
    isFirst: before.every(isPrefix) || before.some(startsAnother),
  };
}

/** An assignment, or a word that may expand to nothing. */
function isPrefix(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word) || word.replaceAll(ANYTHING, '') === '';
}

function startsAnother(word: string): boolean {
  const kind = kindOf(word);
  return kind === 'wrapper' || kind === 'builtin' || RESERVED_WORDS.has(word);
}

/** Whether the word may expand to `text`. A word without fixed parts may become anything. */
export function mayBecome({ parts }: WildWord, text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const inner = text.slice(first.length, text.length - last.length);
  let at = 0;
  for (const part of rest) {
    const found = inner.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

export function isUnknown({ parts }: WildWord): boolean {
  return parts.every((part) => part === '');
}
