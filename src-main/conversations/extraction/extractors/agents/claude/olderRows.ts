import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { goesOn } from '../../../markdown/restoreMarkdown.ts';
import { EXIT } from './rules.ts';

/** The indent of all rows below the first row of a message. */
const INDENT = '  ';
const RULE = /^─/;

/**
 * Returns the rows as later versions draw them. 2.0 wrote rows wider than the screen, which the terminal broke at its very edge: the rest
 * of these gets the indent that keeps it with its message.
 */
export function withOverflowIndented({ rows, cols, altScreen }: ChatSnapshot): readonly FrameRow[] {
  if (altScreen) return rows; // a full-screen program does not remove the mark of a broken row
  const left = rows.findLastIndex(({ text }) => EXIT.test(text)); // nothing indented follows its last words
  return rows.map((row, at) => {
    if (left >= 0 && at > left) return row;
    const above = rows[at - 1];
    const isRest = above !== undefined && goesOn(row, above, cols) && !RULE.test(above.text) && /^\S/.test(row.text);
    if (!isRest) return row;
    const [first, ...others] = row.spans;
    return { ...row, text: INDENT + row.text, spans: [{ ...first, text: INDENT + (first?.text ?? '') }, ...others] };
  });
}

/** Up to 2.1.54 a quote had no bar; all its words were dim and in italics. */
export function withQuoteBar(row: FrameRow): FrameRow {
  const words = row.spans.filter(({ text }) => text.trim() !== '');
  const isQuote = words.length > 0 && words.every(({ dim, italic }) => dim === true && italic === true);
  if (!isQuote || /^[▎▌]/.test(row.text.trimStart())) return row;
  return { ...row, text: `▎ ${row.text}`, spans: [{ text: '▎ ' }, ...row.spans] };
}
