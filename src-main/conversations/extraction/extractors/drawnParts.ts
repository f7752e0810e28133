import type { FrameRow } from '../../../contract/screen/frame.ts';
import type { Looks } from '../markdown/inline.ts';
import { ITEM } from '../markdown/softBreak.ts';

/**
 * Most rows from one row of an answer to the next: blocks of Markdown have one blank row between them. More is the space of a block of
 * code, which is reserved from the beginning and drawn after all the rest (OpenCode 1.18.33: up to a second after the turn's end).
 */
const FREE_ROWS = 3;
/** Columns by which code is indented. */
const MIN_INDENT = 2;

export interface Drawing {
  readonly looks: Looks;
  /** Number of blank rows above the first row. */
  readonly above?: number;
}

/** The drawn parts of an answer, in order, and where undrawn parts are missing. */
export interface DrawnAnswer {
  readonly parts: readonly (readonly FrameRow[])[];
  /** Whether a part above the first or below the last is not drawn yet. */
  readonly isHeadless: boolean;
  readonly isEndless: boolean;
}

/**
 * Splits an answer of a program that draws with OpenTUI (OpenCode, Cline) at the space that is reserved for parts not drawn yet, and at
 * quotes of which only the bars are drawn. Blank lines within code are not reserved space.
 */
export function drawnParts(rows: readonly FrameRow[], { looks, above = 0 }: Drawing): DrawnAnswer {
  const parts: (readonly FrameRow[])[] = [];
  let isHeadless = above > FREE_ROWS;
  let isMissing = false;
  let from = 0;
  let last = -1;
  rows.forEach((row, at) => {
    if (isBlank(row)) return;
    if (isBareQuote(blockAround(rows, at))) {
      isMissing = true;
      return;
    }
    const isApart = isMissing || at - last > FREE_ROWS;
    if (last < 0) {
      isHeadless ||= isMissing;
      from = isMissing ? at : 0;
    } else if (
      isApart &&
      (isMissing || !(isCode(blockAround(rows, last), looks) && isCode(blockAround(rows, at), looks)))
    ) {
      parts.push(rows.slice(from, last + 1));
      from = at;
    }
    isMissing = false;
    last = at;
  });
  return { parts: [...parts, rows.slice(from, isMissing ? last + 1 : rows.length)], isHeadless, isEndless: isMissing };
}

function isBareQuote(block: readonly FrameRow[]): boolean {
  return block.every(({ text }) => /^\s*▎\s*$/.test(text));
}

function blockAround(rows: readonly FrameRow[], at: number): readonly FrameRow[] {
  const from = rows.findLastIndex((row, place) => place < at && isBlank(row)) + 1;
  const to = rows.findIndex((row, place) => place > at && isBlank(row));
  return rows.slice(from, to < 0 ? rows.length : to);
}

/** Whether rows are indented as only code is, without its colours: the program may not have its language's grammar, or not yet. */
export function hasPlainCode(rows: readonly FrameRow[], looks: Looks): boolean {
  return rows.some((row, at) => {
    const before = rows[at - 1];
    if (!before || isBlank(before) || isBlank(row) || indentOf(row) < indentOf(before) + MIN_INDENT) return false;
    const block = blockAround(rows, at);
    return !isCode(block, looks) && !block.some(({ text }) => ITEM.test(text) || /[│▎]/.test(text));
  });
}

function indentOf({ text }: FrameRow): number {
  return text.length - text.trimStart().length;
}

function isCode(block: readonly FrameRow[], looks: Looks): boolean {
  return looks.isCodeBlock?.(block) === true;
}

function isBlank({ text }: FrameRow): boolean {
  return text.trim() === '';
}
