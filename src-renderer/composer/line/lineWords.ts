import { onFirstUse } from '../../../src-main/shared/onFirstUse.ts';

const characters = onFirstUse(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));
/** Longest visible character in code units; only so much of a pasted text is examined. */
const MAX_CHAR = 64;

/** Start of the character before `at`. */
export function charStart(text: string, at: number): number {
  const near = text.slice(Math.max(0, at - MAX_CHAR), at);
  return at - ([...characters().segment(near)].at(-1)?.segment.length ?? 0);
}

/** End of the character after `at`. */
export function charEnd(text: string, at: number): number {
  const [first] = characters().segment(text.slice(at, at + MAX_CHAR));
  return at + (first?.segment.length ?? 0);
}

/** Start of the word of letters, digits and `_` before `at`, for Alt+B and Alt+Backspace. */
export function wordStart(text: string, at: number): number {
  return backOver(/[\p{L}\p{N}_]/u, text, backOver(/[^\p{L}\p{N}_]/u, text, at));
}

/** Start of the whitespace-separated word before `at`, for Ctrl+W. */
export function bigWordStart(text: string, at: number): number {
  return backOver(/\S/u, text, backOver(/\s/u, text, at));
}

/** Text before `at` since the last whitespace; '' after whitespace. */
export function wordBefore(text: string, at: number): string {
  return text.slice(backOver(/\S/u, text, at), at);
}

/**
 * Start of the run of matching characters that ends at `at`. An expression with `$` would try each position of a pasted text: half a minute for 100
 * KB.
 */
function backOver(character: RegExp, text: string, at: number): number {
  let from = at;
  while (from > 0) {
    const isPair = /[\udc00-\udfff]/.test(text.charAt(from - 1)) && /[\ud800-\udbff]/.test(text.charAt(from - 2));
    const before = from - (isPair ? 2 : 1);
    if (!character.test(text.slice(before, from))) break;
    from = before;
  }
  return from;
}

/** End of the word after `at`, for Alt+F and Alt+D. */
export function wordEnd(text: string, at: number): number {
  return at + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(at))?.[0].length ?? 0);
}

/** The last word of a command line, with its quotes; '' if there is none. Whitespace in quotes or after `\` is part of a word. */
export function lastWord(line: string): string {
  return line.match(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s\\])+/gs)?.at(-1) ?? '';
}
