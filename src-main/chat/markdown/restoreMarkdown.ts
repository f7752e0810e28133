import type { FrameRow } from '../../contract/frame.ts';
import { inlineMarkdown, type Looks } from './inline.ts';
import { columnsOf } from './spans.ts';
import { isTable, tableMarkdown } from './table.ts';

const ITEM = /^\s*(?:[-*•◦]|\d{1,3}[.)])\s/;
const QUOTE = /^\s*[▎▌]\s?/;
/** Columns a program may leave free at the right edge when it wraps. */
const EDGE_COLS = 2;

/**
 * Rows of rendered Markdown, gutter cut off, as Markdown again. `cols` is the width they were wrapped to. What looks do not tell
 * (a fence's language, a heading's level below the first) is left out, a heading's level being 2.
 */
export function restoreMarkdown(rows: readonly FrameRow[], cols: number, looks: Looks): string {
  const out: string[] = [];
  let code: string[] | null = null;
  for (const block of blocksOf(rows)) {
    if (isCodeBlock(block, looks)) {
      const lines = block.map((row) => row.text.trimEnd());
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

/** Rows between blank ones; a table stands alone. */
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
  return block.some((row) => row.spans.some((span) => looks.isSyntax(span.fg)));
}

function fenced(lines: readonly string[]): string {
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...lines.map((line) => line.slice(indent)), fence].join('\n');
}

function blockMarkdown(block: readonly FrameRow[], cols: number, looks: Looks): string {
  const texts = block.map((row) => row.text);
  if (isTable(texts)) return tableMarkdown(texts);
  const heading = headingOf(block);
  if (heading !== null) return heading;
  let out = '';
  let last = '';
  for (const row of block) {
    const line = lineMarkdown(row, looks);
    const isSoft = last !== '' && (row.wrapped || isSoftBreak(last, row.text, cols));
    if (out === '') out = line;
    else if (isSoft) out = `${out.trimEnd()}${row.wrapped ? '' : ' '}${line.trimStart()}`;
    else out = `${out}\n${line}`;
    last = row.text;
  }
  return out.trimEnd();
}

function lineMarkdown(row: FrameRow, looks: Looks): string {
  const line = inlineMarkdown(row.spans, looks).trimEnd();
  return line.replace(QUOTE, '> ').replace(/^(\s*)[•◦] /, '$1- ');
}

/** A line alone that is bold as a whole. The agents underline or slant the first level. */
function headingOf(block: readonly FrameRow[]): string | null {
  const [row, ...others] = block;
  if (!row || others.length > 0 || /[.!?:;,]$/.test(row.text.trim()) || ITEM.test(row.text)) return null;
  const spans = row.spans.filter(({ text }) => text.trim() !== '');
  if (spans.length === 0 || !spans.every((span) => span.bold)) return null;
  return `${spans.every((span) => span.underline || span.italic) ? '#' : '##'} ${row.text.trim()}`;
}

/** Whether a wrapper that fills lines word by word would have broken here: the next word did not fit. */
export function isSoftBreak(line: string, next: string, cols: number): boolean {
  if (ITEM.test(next) || QUOTE.test(next)) return false;
  const [word = ''] = next.trimStart().split(/\s/, 1);
  return columnsOf(line.trimEnd()) + 1 + columnsOf(word) > cols - EDGE_COLS;
}
