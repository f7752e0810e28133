const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** No character as a person sees it is longer, in code units; the rest of a pasted text is not looked at. */
const MAX_CHAR = 64;

/** Where the character before `at` begins. */
export function charStart(text: string, at: number): number {
  const near = text.slice(Math.max(0, at - MAX_CHAR), at);
  return at - ([...characters.segment(near)].at(-1)?.segment.length ?? 0);
}

/** Where the character behind `at` ends. */
export function charEnd(text: string, at: number): number {
  const [first] = characters.segment(text.slice(at, at + MAX_CHAR));
  return at + (first?.segment.length ?? 0);
}

/** Start of the word of letters, digits and `_` before `at`, for Alt+B and Alt+Backspace. */
export function wordStart(text: string, at: number): number {
  return at - (/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(text.slice(0, at))?.[0].length ?? 0);
}

/** End of the word behind `at`, for Alt+F and Alt+D. */
export function wordEnd(text: string, at: number): number {
  return at + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(at))?.[0].length ?? 0);
}

/** The last word of a command line, with its quotes; '' if there is none. Blanks within quotes and behind `\` are part of a word. */
export function lastWord(line: string): string {
  return line.match(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s\\])+/gs)?.at(-1) ?? '';
}
