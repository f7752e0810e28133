import type { Frame, FrameRow } from '../../contract/screen/frame.ts';
import type { NumberedRow, ScreenDiff } from '../../contract/screen/screen.ts';
import { BLANK_ROW, isBlankRow, isSameRow } from '../rows/sameRow.ts';
import { findScroll } from './findScroll.ts';

/** The difference from `old` to `now`; see ScreenDiff for how to apply it. Both have the same epoch. */
export function diffFrames(old: Frame, now: Frame): ScreenDiff {
  const before = old.rows.slice(0, now.rowsCount);
  const scrolledBy = findScroll(before, now.rows);
  const changed: NumberedRow[] = [];
  const added: NumberedRow[] = [];
  const removed: number[] = [];
  now.rows.forEach((line, row) => {
    const was = before[row + scrolledBy] ?? BLANK_ROW;
    if (isSameRow(was, line)) return;
    if (isBlankRow(line)) removed.push(row);
    else if (isBlankRow(was)) added.push({ row, line });
    else changed.push({ row, line });
  });
  return { fromSeq: old.seq, toSeq: now.seq, scrolledBy, changed, added, removed, ...restThatDiffers(old, now) };
}

/** With a larger share of changed rows, a difference is harder to read than the frame. */
const LARGE_PART = 0.6;

export function isLargeDiff({ changed, added, removed }: ScreenDiff, rowsCount: number): boolean {
  return changed.length + added.length + removed.length > LARGE_PART * rowsCount;
}

type Rest = Pick<ScreenDiff, 'cursor' | 'title' | 'altScreen' | 'cols' | 'rowsCount' | 'scrollbackTotal'>;

function restThatDiffers(old: Frame, now: Frame): Rest {
  return {
    ...(isSameCursor(old.cursor, now.cursor) ? {} : { cursor: now.cursor }),
    ...(old.title === now.title ? {} : { title: now.title }),
    ...(old.altScreen === now.altScreen ? {} : { altScreen: now.altScreen }),
    ...(old.cols === now.cols ? {} : { cols: now.cols }),
    ...(old.rowsCount === now.rowsCount ? {} : { rowsCount: now.rowsCount }),
    ...(old.scrollbackTotal === now.scrollbackTotal ? {} : { scrollbackTotal: now.scrollbackTotal }),
  };
}

export function isSameCursor(a: Frame['cursor'], b: Frame['cursor']): boolean {
  return a.row === b.row && a.col === b.col && a.visible === b.visible && a.shape === b.shape;
}

/** True if both look the same, which is all that a `seq` counts. Ignores the cursor's column and visibility. */
export function looksSame(a: Frame, b: Omit<Frame, 'seq'>): boolean {
  return (
    a.epoch === b.epoch &&
    a.cols === b.cols &&
    a.rowsCount === b.rowsCount &&
    a.altScreen === b.altScreen &&
    a.title === b.title &&
    a.cursor.row === b.cursor.row &&
    a.rows.every((row: FrameRow, at) => row === b.rows[at] || isSameRow(row, b.rows[at] ?? BLANK_ROW))
  );
}
