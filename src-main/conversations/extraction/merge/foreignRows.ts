import type { FrameRow } from '../../../contract/screen/frame.ts';

/** The text of the rows without spaces, which depend on the screen's width: equal however the rows were cut. */
export function rowsText(rows: readonly FrameRow[]): string {
  return rows.map((row) => row.text.replace(/\s+/g, '')).join('');
}

/**
 * Counts the rows at the top of `rows` that are the end of `foreign`, the text of another program's rows. Blank rows below the last of
 * them do not count: the next program may draw there.
 */
export function foreignRowsAt(rows: readonly FrameRow[], foreign: string): number {
  if (foreign === '') return 0;
  let text = '';
  let count = 0;
  for (let at = 0; at < rows.length && text.length <= foreign.length; at += 1) {
    const row = rows[at];
    const own = row ? rowsText([row]) : '';
    text += own;
    if (own !== '' && foreign.endsWith(text)) count = at + 1;
  }
  return count;
}
