import type { FrameRow } from '../../../../contract/frame.ts';
import { keepRow } from '../../../markdown/keepRow.ts';
import { columnsOf } from '../../../markdown/spans.ts';

const BAR = /\s*┃\s*$/;
/** When it was said: at the right edge of the first row of what somebody typed. */
const CLOCK = /^( {1,2}❯ .*?)\s{2,}\d{1,2}:\d\d( ?[AP]M)?\s*┃?\s*$/;
/** While the window gets wider it stands where the edge was: nobody types so many blanks before a time. */
const FAR_CLOCK = /\s{10,}\d{1,2}:\d\d( ?[AP]M)?\s*┃?\s*$/;
/** Columns at the right edge in which a clock ends: a bar and spaces may stand behind it. */
const EDGE_COLS = 5;

/** `row` without the scroll bar in its last column and without the clock. */
export function withoutEdge(row: FrameRow, cols: number): FrameRow {
  const bar = BAR.exec(row.text);
  const hasBar = bar !== null && columnsOf(row.text.trimEnd()) === cols;
  const own = hasBar ? keepRow(row, bar.index) : row;
  const clock = CLOCK.exec(own.text);
  if (clock === null) return own;
  const isAtEdge = columnsOf(own.text.trimEnd()) >= cols - EDGE_COLS;
  return isAtEdge || FAR_CLOCK.test(own.text) ? keepRow(own, (clock[1] ?? '').length) : own;
}
