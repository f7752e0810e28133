import type { FrameRow } from '../../../contract/screen/frame.ts';

/** What rows say, wherever they were cut: without spaces, which the width of the screen adds and takes. */
export function rowsText(rows: readonly FrameRow[]): string {
  return rows.map((row) => row.text.replace(/\s+/g, '')).join('');
}

/** How many rows at the top of `rows` are the end of `foreign`, text of rows that were another program's. Blank rows behind its last are not: the next program may draw there. */
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
