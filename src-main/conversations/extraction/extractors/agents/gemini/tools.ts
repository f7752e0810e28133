import type { ChatTool } from '../../../../../contract/chat/chat.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { unwrapped } from '../../../markdown/unwrap.ts';
import { inner } from './pieces.ts';
import { TOOL_GLYPH } from './rules.ts';

/** A tool as shown by a box or a row. Rows are indexes into the rows it was read from. */
export interface ShownTool {
  readonly tool: ChatTool;
  readonly result: string;
  readonly from: number;
  /** First row of the result, and the first row after the tool. */
  readonly body: number;
  readonly to: number;
}

const STATUS: Readonly<Record<string, NonNullable<ChatTool['status']>>> = {
  '✓': 'done',
  '✔': 'done',
  x: 'failed',
  '✕': 'failed',
  '✖': 'failed',
  '⊷': 'running',
  '⊶': 'running',
};
/** Columns of the glyph and blanks, and of the sides of a box. */
const GLYPH_COLS = 3;
const SIDE_COLS = 4;

/** The tools in a box: each has a row with its glyph, name and input, a blank row and its result. */
export function boxedTools(rows: readonly FrameRow[], cols: number): ShownTool[] {
  const texts = rows.map((row) => inner(row.text));
  const heads = texts.flatMap((_, at) => (isHead(rows, texts, at) ? [at] : []));
  return heads.map((from, place) => {
    const to = heads[place + 1] ?? rows.length;
    let body = from + 1;
    while (body < to && /^ {3}\S/.test(texts[body] ?? '')) body += 1;
    const more = texts.slice(from + 1, body).map((text) => text.trim());
    const result = plain(texts.slice(body, to));
    return { tool: toolOf(rows[from], texts[from] ?? '', { more, cols, result }), result, from, body, to };
  });
}

function isHead(rows: readonly FrameRow[], texts: readonly string[], at: number): boolean {
  const row = rows[at];
  if (!row || !TOOL_GLYPH.test(texts[at] ?? '') || !/^ ?│/.test(row.text)) return false;
  const isFirst = /^ ?╭/.test(rows[at - 1]?.text ?? '') || at === 0;
  if (row.spans.length === 1) return isFirst || texts[at - 1]?.trim() === '';
  return row.spans.some((span) => span.bold === true && span.text.trim().length > 1);
}

/** A tool in one row, with ` → ` before its result and a diff below. */
export function denseTool(rows: readonly FrameRow[], cols: number): ShownTool {
  const [head = '', ...others] = rows.map((row) => row.text.trimEnd());
  const more = others.filter((text) => /^ {3}\S/.test(text)).map((text) => text.trim());
  const below = others.slice(more.length);
  const all = [head.slice(2), ...more].join(' ');
  const [told = '', ...came] = all.split(' → ');
  const result = plain([came.join(' → '), ...below]);
  return { tool: toolOf(rows[0], told, { more: [], cols, result }), result, from: 0, body: 1, to: rows.length };
}

/** The size of a running call's output, below the output. */
const SIZE = /^\s*[\d.]+ [KMG]?B\s*$/;

/** A tool without a box: its row, then its indented result. */
export function bareTool(rows: readonly FrameRow[], cols: number): ShownTool {
  const [head = '', ...below] = rows.map((row) => row.text.trimEnd());
  const tool = toolOf(rows[0], head, { more: [], cols, result: '' });
  const printed = tool.status === 'running' && SIZE.test(below.at(-1) ?? '') ? below.slice(0, -1) : below;
  return { tool, result: plain(printed), from: 0, body: 1, to: rows.length };
}

function toolOf(
  row: FrameRow | undefined,
  text: string,
  { more, cols, result }: { more: readonly string[]; cols: number; result: string },
): ChatTool {
  const glyph = TOOL_GLYPH.exec(text)?.[1] ?? '';
  const rest = text.replace(TOOL_GLYPH, '').trim();
  const name = nameOf(row, rest);
  const given = rest.slice(name.length).trim().replace(/ ←$/, '');
  const input = unwrapped([given, ...more], cols - SIDE_COLS - GLYPH_COLS);
  const status = glyph === '-' ? canceled(result) : (STATUS[glyph] ?? (/[⠁-⣿]/.test(glyph) ? 'running' : undefined));
  return { name, ...(input === '' ? {} : { input }), ...(status ? { status } : {}) };
}

/** The bold word; without styles, the first word. */
function nameOf(row: FrameRow | undefined, rest: string): string {
  const bold = row?.spans
    .filter((span) => span.bold)
    .map((span) => span.text.replace(TOOL_GLYPH, '').trim())
    .find((text) => text.length > 1 && rest.startsWith(text));
  return bold ?? rest.split(' ', 1)[0] ?? rest;
}

/** Denied and interrupted calls have the same glyph, but a tool that had begun has a result. */
function canceled(result: string): NonNullable<ChatTool['status']> {
  return result === '' || /^Rejected\b/.test(result) ? 'denied' : 'interrupted';
}

function plain(texts: readonly string[]): string {
  const lines = texts.map((text) => text.trimEnd()).filter((text) => !/^ ?[╰╭]─/.test(text));
  while (lines[0]?.trim() === '') lines.shift();
  while (lines.at(-1)?.trim() === '') lines.pop();
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(Number.MAX_SAFE_INTEGER, ...indents);
  return lines.map((line) => line.slice(indent).replace(/ \(Ctrl\+O(?: to show)?\)/, '')).join('\n');
}
