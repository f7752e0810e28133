import { kindOf, RESERVED_WORDS } from './programs/programs.ts';

/** Stands for whatever an expansion may become; private use, and taken out of the text before. */
const ANYTHING = '\uE000';

/** A word with what expansions may put into it. */
export interface WildWord {
  /** What is certain of it, with anything between. */
  readonly parts: readonly string[];
  /** It may be the name of a program that is started. */
  readonly isFirst: boolean;
}

export interface LooseReading {
  /** The text cut into words in two ways, finely and coarsely: all that could be a word at any depth of quoting, in order. */
  readonly cuts: readonly (readonly string[])[];
  /** Words that expansions, wildcards or braces make. */
  readonly wild: readonly WildWord[];
}

/**
 * What words a text could have that was not understood, for deny rules alone: quotes and backslashes are taken away at every depth,
 * nothing is taken to hide anything. Far too much is found on purpose.
 */
export function readLoosely(text: string): LooseReading {
  const bare = unquote(text);
  const fine = bare.split(/:[-=+?]|[\s=,!:;&|<>(){}$`^#@[\]]+/);
  const coarse = bare.split(/[\s;&|<>(){}`]+/);
  return {
    cuts: [fine, coarse].map((words) => words.filter((word) => word !== '')),
    // as a part of the word around it, and as a command of its own
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

/** Of `$'…'`, as bash and zsh have it. */
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

/** Innermost ones: what is around a replaced one is replaced in the next round. */
const EXPANSIONS =
  /\$\([^()]*\)|\$\{[^{}]*\}|`[^`]*`|\$[A-Za-z_]\w*|\$[0-9@*#?$!-]|[<>=]\([^()]*\)|\{[^{}\s]*\}|\[[^\]\s]*\]|[*?]|![^\s;&|]*/g;
/** Deeper nesting is left as it stands. */
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

/** An assignment, or something that may become nothing. */
function isPrefix(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word) || word.replaceAll(ANYTHING, '') === '';
}

function startsAnother(word: string): boolean {
  const kind = kindOf(word);
  return kind === 'wrapper' || kind === 'builtin' || RESERVED_WORDS.has(word);
}

/** Whether the word may become `text`. One of which nothing is known may become anything. */
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
