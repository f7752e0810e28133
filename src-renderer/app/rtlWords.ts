/**
 * Letters and digits of right-to-left scripts (Unicode bidi classes R, AL and AN), with the marks and joiners after them.
 * The browser would also reverse everything between two of them, for example other columns of a table.
 */
const LETTER = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
const WORD = String.raw`${LETTER}[\p{M}\u200c\u200d]*(?:${LETTER}[\p{M}\u200c\u200d]*)*`;
const WORDS = new RegExp(WORD, 'gu');
const PHRASES = new RegExp(`${WORD}(?: ${WORD})*`, 'gu');
const MAY_HOLD = new RegExp(LETTER, 'u');
/** Characters without a cell, drawn with the letter before them. */
const NO_CELL = /[\p{M}\u200c\u200d]/u;

export function hasRtl(text: string): boolean {
  return MAY_HOLD.test(text);
}

export interface DirectedPart {
  text: string;
  /** Runs from right to left. Only the part itself may be reversed. */
  isRtl: boolean;
}

/**
 * Splits `text` where its direction changes; the parts join to the input. `as`: `command` splits at each word, because their order is the order of
 * arguments; `prose` keeps words separated by one space together, because a sentence is read as a whole.
 */
export function directedParts(text: string, as: 'command' | 'prose'): DirectedPart[] {
  if (!MAY_HOLD.test(text)) return text === '' ? [] : [{ text, isRtl: false }];
  const parts: DirectedPart[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(as === 'command' ? WORDS : PHRASES)) {
    if (index > from) parts.push({ text: text.slice(from, index), isRtl: false });
    parts.push({ text: run, isRtl: true });
    from = index + run.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isRtl: false });
  return parts;
}

/** Number of terminal cells of a right-to-left word. */
export function rtlCells(word: string): number {
  return [...word].filter((char) => !NO_CELL.test(char)).length;
}
