import { onFirstUse } from '../../../src-main/shared/onFirstUse.ts';

/** A run of text. Characters of a width other than one cell, or with a glyph from another font, need a box. */
export interface CellRun {
  text: string;
  /** Cells per grapheme of the run: 0 = plain text in the terminal's own font, which needs no box. */
  box: 0 | 1 | 2;
}

/**
 * Characters that the terminal's font does not draw: East Asian wide and emoji (two cells), other symbols (one cell).
 * The font draws box drawing and block characters (U+2500–259F). Ranges: Unicode 15 EastAsianWidth W and F.
 */
const WIDE =
  /[\u1100-\u115e\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const SYMBOL = /[\u2190-\u24ff\u25a0-\u2bff\u{1f000}-\u{1fbff}\ue000-\uf8ff]/u;
/** One test that covers nearly every line: all of it is in the font. */
const PLAIN = /^[\u0020-\u058f\u2010-\u2027\u2500-\u259f]*$/;

const graphemes = onFirstUse(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Splits `text` into runs of one box width. Joined, they are the input. */
export function cellRuns(text: string): CellRun[] {
  if (PLAIN.test(text)) return text === '' ? [] : [{ text, box: 0 }];
  const runs: CellRun[] = [];
  for (const { segment } of graphemes().segment(text)) {
    const box = WIDE.test(segment) ? 2 : SYMBOL.test(segment) ? 1 : 0;
    const last = runs.at(-1);
    if (last && last.box === 0 && box === 0) last.text += segment;
    else runs.push({ text: segment, box });
  }
  return runs;
}
