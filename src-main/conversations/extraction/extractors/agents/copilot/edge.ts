import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { keepRow } from '../../../markdown/keepRow.ts';
import { columnsOf } from '../../../markdown/spans.ts';

const BAR = /\s*┃\s*$/;
/** The time of a prompt, at the right edge of its first row. */
const CLOCK = /^( {1,2}❯ .*?)\s{2,}\d{1,2}:\d\d( ?[AP]M)?\s*┃?\s*$/;
/** With one blank before it, which a prompt that just fits leaves; its own colour distinguishes it from a time that was typed. */
const CLOSE_CLOCK = /^( {1,2}❯ .*)\s\d{1,2}:\d\d( ?[AP]M)?\s*┃?\s*$/;
const TIME = /^\s*\d{1,2}:\d\d( ?[AP]M)?\s*$/;
/** While the window gets wider, the time is where the edge was: people do not type this many blanks before a time. */
const FAR_CLOCK = /\s{10,}\d{1,2}:\d\d( ?[AP]M)?\s*┃?\s*$/;
/** Columns at the right edge in which the time ends: a bar and spaces may follow it. */
const EDGE_COLS = 5;
/** Rows with a bar in the same column, and their part of all rows: a table that a program draws has fewer. */
const MIN_BARRED = 8;
const BARRED = 0.6;

/** The width for which the screen was drawn: while the window gets wider, the scroll bar is still at the old edge, in nearly every row. */
export function drawnCols(rows: readonly FrameRow[], cols: number): number {
  const ends = new Map<number, number>();
  for (const { text } of rows) {
    if (!BAR.test(text)) continue;
    const end = columnsOf(text.trimEnd());
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  const [[end, count] = [cols, 0]] = [...ends].sort(([, a], [, b]) => b - a);
  return count >= MIN_BARRED && count >= rows.length * BARRED ? end : cols;
}

/** A row of a prompt, without the time at the edge of its box. */
export function withoutBoxClock(row: FrameRow, boxCols: number): FrameRow {
  const clock = CLOCK.exec(row.text) ?? (isTimeColoured(row) ? CLOSE_CLOCK.exec(row.text) : null);
  const isAtEdge = columnsOf(row.text.trimEnd()) >= boxCols - EDGE_COLS;
  return clock !== null && isAtEdge ? keepRow(row, (clock[1] ?? '').length) : row;
}

/** Whether the last words of a prompt's row are a time in another colour than the prompt. */
function isTimeColoured({ spans }: FrameRow): boolean {
  const words = spans.filter(({ text }) => text.trim() !== '' && text.trim() !== '┃');
  const [typed, time] = [words[0], words.at(-1)];
  return typed !== undefined && time !== undefined && TIME.test(time.text) && time.fg !== typed.fg;
}

/** `row` without the scroll bar in its last column and without the time. */
export function withoutEdge(row: FrameRow, cols: number): FrameRow {
  const bar = BAR.exec(row.text);
  const hasBar = bar !== null && columnsOf(row.text.trimEnd()) === cols;
  const own = hasBar ? keepRow(row, bar.index) : row;
  return withoutBoxClock(own, FAR_CLOCK.test(own.text) ? 0 : cols);
}
