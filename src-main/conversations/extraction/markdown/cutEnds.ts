import type { FrameRow } from '../../../contract/screen/frame.ts';

const EDGE = /^\s*[├└][─┼┴┤┘├└]+\s*$/;
const CELLS = /^\s*│.*│\s*$/;

/** Rows whose beginning is missing, with what is left of a table at their start as plain rows of cells: its head is not known. */
export function withoutTableHead(rows: readonly FrameRow[]): FrameRow[] {
  const end = rows.findIndex(({ text }) => !EDGE.test(text) && !CELLS.test(text));
  const cut = rows.slice(0, end < 0 ? rows.length : end);
  const cells = cut.filter(({ text }) => CELLS.test(text)).map(({ text }) => rowOf(text.trim().replaceAll('│', '|')));
  return [...cells, ...rows.slice(cut.length)];
}

function rowOf(text: string): FrameRow {
  return { text, spans: [{ text }], wrapped: false };
}

/** `text` that still streams, without a mark at its end that has nothing to mark yet: `##`, `|--`. */
export function withoutStub(text: string): string {
  return text.replace(/(^|\n)\s*(#{1,6}|\|[-|: ]*)$/, '').trimEnd();
}
