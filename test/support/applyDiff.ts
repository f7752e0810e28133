import type { Frame } from '../../src-main/contract/screen/frame.ts';
import type { ScreenDiff } from '../../src-main/contract/screen/screen.ts';
import { BLANK_ROW } from '../../src-main/screen/rows/sameRow.ts';

/** Applies `diff` to `frame`, the frame that the diff starts from. */
export function applyDiff(frame: Frame, diff: ScreenDiff): Frame {
  const rowsCount = diff.rowsCount ?? frame.rowsCount;
  const before = frame.rows.slice(0, rowsCount);
  const rows = Array.from({ length: rowsCount }, (_, row) => before[row + diff.scrolledBy] ?? BLANK_ROW);
  for (const row of diff.removed) rows[row] = BLANK_ROW;
  for (const { row, line } of [...diff.changed, ...diff.added]) rows[row] = line;
  return {
    rows,
    cursor: diff.cursor ?? frame.cursor,
    title: diff.title ?? frame.title,
    altScreen: diff.altScreen ?? frame.altScreen,
    cols: diff.cols ?? frame.cols,
    rowsCount,
    scrollbackTotal: diff.scrollbackTotal ?? frame.scrollbackTotal,
    seq: diff.toSeq,
    epoch: frame.epoch,
  };
}
