/**
 * Letters and digits of scripts that run from right to left (Unicode bidi classes R, AL and AN), with the marks and joiners that follow them.
 * Everything between two of them would be turned around by the browser as well, other columns of a table included.
 */
const LETTER = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
const WORD = String.raw`${LETTER}[\p{M}\u200c\u200d]*(?:${LETTER}[\p{M}\u200c\u200d]*)*`;
const WORDS = new RegExp(WORD, 'gu');
const PHRASES = new RegExp(`${WORD}(?: ${WORD})*`, 'gu');
const MAY_HOLD = new RegExp(LETTER, 'u');
/** Takes no cell: it is drawn with the letter before it. */
const NO_CELL = /[\p{M}\u200c\u200d]/u;

export function hasRtl(text: string): boolean {
  return MAY_HOLD.test(text);
}

export interface DirectedPart {
  text: string;
  /** Read from right to left. Nothing but the part itself may be turned around for it. */
  isRtl: boolean;
}

/**
 * `text` cut where its direction changes; joined, the parts are the input. `as`: `command` cuts at each word, because the order of words is
 * the order of arguments; `prose` keeps words together that one space divides, because a sentence is read as a whole.
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

/** Cells of a terminal that a word of those scripts takes. */
export function rtlCells(word: string): number {
  return [...word].filter((char) => !NO_CELL.test(char)).length;
}
