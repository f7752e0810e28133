import type { StyledSpan } from '../../../contract/block.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';
import { inlineMarkdown, type Looks } from './inline.ts';
import { keepRow } from './keepRow.ts';
import { EDGE_COLS, ITEM, jointOf, QUOTE } from './softBreak.ts';
import { columnsOf, cutRow } from './spans.ts';
import { isRuledTable, isTable, ruledTableMarkdown, tableMarkdown } from './table.ts';

/** A quote whose marks the agent shows as they are. */
const MARKED_QUOTE = /^\s*> \S/;
/** A heading whose marks the agent shows as they are. */
const MARKED_HEADING = /^#{1,6} \S/;

/**
 * Turns rows of rendered Markdown, without their gutter, back into Markdown. `cols`: the width at which they were wrapped. Styles do not
 * show a fence's language, which is left out, nor a heading's level below the first, which becomes 2.
 */
export function restoreMarkdown(rows: readonly FrameRow[], cols: number, looks: Looks): string {
  const out: string[] = [];
  let code: string[] | null = null;
  for (const block of blocksOf(rows)) {
    if (isCodeBlock(block, looks)) {
      const lines = codeLines(block, cols);
      if (code) code.push('', ...lines);
      else code = lines;
      continue;
    }
    if (code) out.push(fenced(code));
    code = null;
    out.push(blockMarkdown(block, cols, looks));
  }
  if (code) out.push(fenced(code));
  return out.join('\n\n');
}

/** Splits rows at blank rows; a table is always a separate block. */
function blocksOf(rows: readonly FrameRow[]): FrameRow[][] {
  const blocks: FrameRow[][] = [[]];
  for (const row of rows) {
    const isBlank = row.text.trim() === '';
    if (isBlank || /^\s*┌─/.test(row.text)) blocks.push([]);
    if (!isBlank) blocks.at(-1)?.push(row);
    if (/^\s*└─/.test(row.text)) blocks.push([]);
  }
  return blocks.filter((block) => block.length > 0);
}

function isCodeBlock(block: readonly FrameRow[], looks: Looks): boolean {
  if (looks.isCodeBlock) return looks.isCodeBlock(block);
  return block.some((row) => row.spans.some((span) => looks.isSyntax(span.fg)));
}

/** Joins rows into lines of code. A row at the left edge continues the line above if its beginning had no room there. */
function codeLines(block: readonly FrameRow[], cols: number): string[] {
  const lines: string[] = [];
  block.forEach((row, at) => {
    const before = block[at - 1];
    const text = row.text.trimEnd();
    const joint = goesOn(row, before, cols) ? '' : before && /^\S/.test(text) ? jointOf(before.text, text, cols) : null;
    if (joint === null || lines.length === 0) lines.push(text);
    else lines[lines.length - 1] += joint + text;
  });
  return lines;
}

/**
 * Whether the terminal wrapped the line above into this row. A full-screen program that draws other text into both rows does not remove
 * the mark, but then the row above does not reach the edge.
 */
export function goesOn(row: FrameRow, before: FrameRow | undefined, cols: number): boolean {
  return row.wrapped && (before === undefined || columnsOf(before.text.trimEnd()) >= cols - EDGE_COLS);
}

/** Puts lines of code, without their common indent, in a fence that is longer than any fence in them. */
export function fenced(lines: readonly string[]): string {
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(Number.MAX_SAFE_INTEGER, ...indents);
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...lines.map((line) => line.slice(indent)), fence].join('\n');
}

function blockMarkdown(block: readonly FrameRow[], cols: number, looks: Looks): string {
  const texts = block.map((row) => row.text);
  if (isTable(texts)) return tableMarkdown(texts);
  if (isRuledTable(texts)) return ruledTableMarkdown(texts);
  const heading = headingOf(block, looks);
  if (heading !== null) return heading;
  const lines: FrameRow[] = [];
  for (const [at, row] of block.entries()) {
    const before = block[at - 1];
    const open = lines.at(-1);
    const isNextOfQuote = open && MARKED_QUOTE.test(open.text) && MARKED_QUOTE.test(row.text);
    const joint = goesOn(row, before, cols) ? '' : isNextOfQuote ? null : jointOf(before?.text ?? '', row.text, cols);
    if (open && joint !== null) lines[lines.length - 1] = joinedRows(open, row, joint);
    else lines.push(row);
  }
  return dedented(
    lines
      .map((line) => lineMarkdown(line, looks))
      .join('\n')
      .trimEnd(),
  );
}

/** Joins two rows into one line. `inlineMarkdown` then joins spans of one style on both sides of the break. */
function joinedRows(open: FrameRow, row: FrameRow, joint: string): FrameRow {
  const head = keepRow(open, open.text.trimEnd().length);
  const tail = cutRow(row, row.text.length - row.text.trimStart().length);
  const spans = [...head.spans, ...(joint === '' ? [] : [{ text: joint }]), ...tail.spans];
  return { text: head.text + joint + tail.text, spans, wrapped: open.wrapped };
}

/** Removes the first line's indent from all lines of a list. */
function dedented(text: string): string {
  const indent = ITEM.test(text) ? text.length - text.trimStart().length : 0;
  if (indent === 0) return text;
  return text
    .split('\n')
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
    .join('\n');
}

function lineMarkdown(row: FrameRow, looks: Looks): string {
  const isSlantedQuote = looks.slantsQuotes === true && QUOTE.test(row.text);
  const line = inlineMarkdown(isSlantedQuote ? upright(row.spans) : row.spans, looks).trimEnd();
  return line.replace(QUOTE, '$1> ').replace(/^(\s*)[•◦] /, '$1- ');
}

/** Removes the italics of a quote if all its words have them. */
function upright(spans: readonly StyledSpan[]): readonly StyledSpan[] {
  const isSlanted = spans.every(({ text, italic }) => italic === true || !/[\p{L}\p{N}]/u.test(text));
  return isSlanted ? spans.map(({ italic: _, ...span }) => span) : spans;
}

/** A heading is a single line that is entirely bold. Agents underline the first level or draw it in italics. */
function headingOf(block: readonly FrameRow[], looks: Looks): string | null {
  const [row, ...others] = block;
  if (!row || others.length > 0) return null;
  if (MARKED_HEADING.test(row.text) && row.spans[0]?.bold) return row.text.trim();
  if (/[.!?:;,]$/.test(row.text.trim()) || ITEM.test(row.text)) return null;
  const spans = row.spans.filter(({ text }) => text.trim() !== '');
  const level = spans.length === 0 ? 0 : (looks.headingLevel ?? levelByLooks)(spans);
  return level === 0 ? null : `${'#'.repeat(level)} ${row.text.trim()}`;
}

function levelByLooks(spans: readonly StyledSpan[]): number {
  if (!spans.every((span) => span.bold)) return 0;
  return spans.every((span) => span.underline || span.italic) ? 1 : 2;
}
