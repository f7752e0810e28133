import type { StyledSpan } from '../../../contract/block.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';
import { remembered } from '../../../util/remembered.ts';

/** `row` without its first `chars` UTF-16 units. */
export function cutRow(row: FrameRow, chars: number): FrameRow {
  let left = chars;
  const spans: StyledSpan[] = [];
  for (const span of row.spans) {
    const text = span.text.slice(left);
    left = Math.max(0, left - span.text.length);
    if (text !== '') spans.push({ ...span, text });
  }
  return { text: row.text.slice(chars), spans, wrapped: row.wrapped };
}

/** The rows as the program printed them: each row that the terminal wrapped is a part of the one before. */
export function joinWrapped(rows: readonly FrameRow[]): FrameRow[] {
  const whole: FrameRow[] = [];
  for (const row of rows) {
    const open = whole.at(-1);
    if (!row.wrapped || !open) whole.push(row);
    else whole[whole.length - 1] = { ...open, text: open.text + row.text, spans: [...open.spans, ...row.spans] };
  }
  return whole;
}

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const NO_WIDTH = /\p{Mn}|\p{Cf}/u;
/** Characters that make one emoji of several: the joiner, the emoji variation selector, letters of flags, skin tones. */
const JOINS = /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u;
const PICTURE = 2;
/** All characters below this one (letters, digits, marks and controls of Latin 1) take one column; U+00AD takes 0. */
const FIRST_OTHER = 0xad;
/** Number of remembered characters. Programs draw few different ones. */
const MOST_KNOWN = 4096;
const otherColumns = remembered(MOST_KNOWN, widthOf);
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns that `text` takes, exact enough to see where a line was full. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of charactersOf(text)) columns += columnsOfOne(character);
  return columns;
}

/** Splits `text` into the characters of cells; one character takes one or two cells. */
export function charactersOf(text: string): Iterable<string> {
  return JOINS.test(text) ? Array.from(graphemes.segment(text), ({ segment }) => segment) : text;
}

function columnsOfOne(character: string): number {
  if (character.charCodeAt(0) < FIRST_OTHER && character.length === 1) return 1;
  return otherColumns(character);
}

function widthOf(character: string): number {
  if (JOINS.test(character) && character.length > 1) return PICTURE;
  return NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}

/** The part of `text` from column `from` to before column `to`. A wide character that begins before `from` is left out. */
export function cutColumns(text: string, from: number, to: number): string {
  let column = 0;
  let out = '';
  for (const character of charactersOf(text)) {
    if (column >= from && column < to) out += character;
    column += columnsOf(character);
  }
  return out;
}
