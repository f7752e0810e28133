import type { Frame } from '../../contract/screen/frame.ts';
import type { ScreenDelta, ScreenSnapshot } from '../../contract/screen/screenRecord.ts';
import { BLANK_ROW, isBlankRow } from '../rows/sameRow.ts';
import { diffFrames } from './diffFrames.ts';
import { frameHash } from './frameHash.ts';

/** Facts about a frame that it does not contain. */
export interface Stamp {
  epoch: string;
  /** ms since 1970. */
  ts: number;
}

type DeltaRow = ScreenDelta['rows'][number];

/** The whole text of `frame`, from which folding can start. */
export function keyframeOf(frame: Frame, { epoch, ts }: Stamp): ScreenDelta {
  const rows = frame.rows.flatMap((line, row) => (isBlankText(line) ? [] : [deltaRow(row, line)]));
  return {
    seq: frame.seq,
    epoch,
    ts,
    keyframe: true,
    rows,
    cursor: place(frame),
    title: frame.title,
    alt_screen: frame.altScreen,
    cols: frame.cols,
    rows_count: frame.rowsCount,
    scrollback_total: frame.scrollbackTotal,
  };
}

/** Text that changed from `old` to `now`, both of one epoch; folded onto `old` it gives the text of `now`. A change of attributes has no rows. */
export function deltaOf(old: Frame, now: Frame, { epoch, ts }: Stamp): ScreenDelta {
  const { scrolledBy, ...diff } = diffFrames(old, now);
  const kept = old.rows.slice(0, now.rowsCount);
  const rows: DeltaRow[] = [...diff.changed, ...diff.added, ...diff.removed.map((row) => ({ row, line: BLANK_ROW }))]
    .filter(({ row, line }) => {
      const was = kept[row + scrolledBy] ?? BLANK_ROW;
      return was.text !== line.text || was.wrapped !== line.wrapped;
    })
    .sort((a, b) => a.row - b.row)
    .map(({ row, line }) => deltaRow(row, line));
  const hasMoved = old.cursor.row !== now.cursor.row || old.cursor.col !== now.cursor.col;
  return {
    seq: now.seq,
    epoch,
    ts,
    ...(scrolledBy === 0 ? {} : { scrolled_by: scrolledBy }),
    rows,
    ...(hasMoved ? { cursor: place(now) } : {}),
    ...(diff.title === undefined ? {} : { title: diff.title }),
    ...(diff.altScreen === undefined ? {} : { alt_screen: diff.altScreen }),
    ...(diff.cols === undefined ? {} : { cols: diff.cols }),
    ...(diff.rowsCount === undefined ? {} : { rows_count: diff.rowsCount }),
    ...(diff.scrollbackTotal === undefined ? {} : { scrollback_total: diff.scrollbackTotal }),
  };
}

/** `scrollback`: rows above the screen, oldest first. */
export function snapshotOf(
  frame: Frame,
  scrollback: readonly { text: string }[],
  { epoch, ts }: Stamp,
): ScreenSnapshot {
  return {
    version: 1,
    rows: frame.rows.map(({ text }) => text),
    cursor: place(frame),
    title: frame.title,
    alt_screen: frame.altScreen,
    cols: frame.cols,
    rows_count: frame.rowsCount,
    scrollback: scrollback.map(({ text }) => text),
    scrollback_total: frame.scrollbackTotal,
    seq: frame.seq,
    screen_epoch: epoch,
    hash: frameHash(frame),
    ts,
  };
}

/** True for a row that folding leaves blank by default. Colours without text do not count. */
function isBlankText(line: Frame['rows'][number]): boolean {
  return isBlankRow(line) || (line.text === '' && !line.wrapped);
}

function deltaRow(row: number, { text, wrapped }: Frame['rows'][number]): DeltaRow {
  return wrapped ? { row, text, wrapped } : { row, text };
}

function place({ cursor }: Frame): { row: number; col: number } {
  return { row: cursor.row, col: cursor.col };
}
