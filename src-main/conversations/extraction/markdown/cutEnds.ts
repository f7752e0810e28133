import type { FrameRow } from '../../../contract/screen/frame.ts';

const EDGE = /^\s*[├└][─┼┴┤┘├└]+\s*$/;
const CELLS = /^\s*│.*│\s*$/;

/** Turns the rest of a table at the start of `rows` into plain rows of cells: their beginning is missing, so the table's head is unknown. */
export function withoutTableHead(rows: readonly FrameRow[]): FrameRow[] {
  const end = rows.findIndex(({ text }) => !EDGE.test(text) && !CELLS.test(text));
  const cut = rows.slice(0, end < 0 ? rows.length : end);
  const cells = cut.filter(({ text }) => CELLS.test(text)).map(({ text }) => rowOf(text.trim().replaceAll('│', '|')));
  return [...cells, ...rows.slice(cut.length)];
}

function rowOf(text: string): FrameRow {
  return { text, spans: [{ text }], wrapped: false };
}

/** Removes from a streaming text a mark at its end that marks nothing yet: `##`, `|--`. */
export function withoutStub(text: string): string {
  return text.replace(/(^|\n)\s*(#{1,6}|\|[-|: ]*)$/, '').trimEnd();
}
