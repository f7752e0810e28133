import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { ITEM } from '../../../markdown/softBreak.ts';
import { LOOKS } from './looks.ts';

/**
 * Blank rows amid an answer that are not its own: between two blocks of Markdown stands one. A block of code has its room from the
 * beginning, and is drawn after all the rest (1.18.33: up to a second after the turn's end).
 */
const FREE_ROWS = 3;
/** Columns by which code is set in. */
const MIN_INDENT = 2;

/** An answer's rows without those that are left free for what is not drawn yet: what is above, between and below such room. Blank lines within code are no room. */
export function drawnParts(rows: readonly FrameRow[]): (readonly FrameRow[])[] {
  const parts: (readonly FrameRow[])[] = [];
  let from = 0;
  let last = -1;
  rows.forEach((row, at) => {
    if (isBlank(row)) return;
    const isApart = last >= 0 && at - last > FREE_ROWS;
    if (isApart && !(isCode(blockAround(rows, last)) && isCode(blockAround(rows, at)))) {
      parts.push(rows.slice(from, last + 1));
      from = at;
    }
    last = at;
  });
  return [...parts, rows.slice(from)];
}

function blockAround(rows: readonly FrameRow[], at: number): readonly FrameRow[] {
  const from = rows.findLastIndex((row, place) => place < at && isBlank(row)) + 1;
  const to = rows.findIndex((row, place) => place > at && isBlank(row));
  return rows.slice(from, to < 0 ? rows.length : to);
}

/** Rows that only code sets in, without its colours: the program may lack the grammar of its language, or have it later. */
export function hasPlainCode(rows: readonly FrameRow[]): boolean {
  return rows.some((row, at) => {
    const before = rows[at - 1];
    if (!before || isBlank(before) || isBlank(row) || indentOf(row) < indentOf(before) + MIN_INDENT) return false;
    const block = blockAround(rows, at);
    return !isCode(block) && !block.some(({ text }) => ITEM.test(text) || /[│▎]/.test(text));
  });
}

function indentOf({ text }: FrameRow): number {
  return text.length - text.trimStart().length;
}

function isCode(block: readonly FrameRow[]): boolean {
  return LOOKS.isCodeBlock?.(block) === true;
}

function isBlank({ text }: FrameRow): boolean {
  return text.trim() === '';
}
