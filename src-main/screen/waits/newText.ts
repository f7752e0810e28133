import type { FrameRow } from '../../contract/screen/frame.ts';
import type { TakenFrame } from '../frames/FrameHistory.ts';
import { type Newness, oldByOrder, oldByResize } from '../rows/oldLines.ts';

/** The last seen content of one of the two buffers. */
interface SeenBuffer {
  readonly rows: readonly FrameRow[];
  readonly newness: readonly Newness[];
  readonly scrolled: number;
  readonly uncounted: number;
}

/** The text that a wait for new text has seen. */
export interface SeenText {
  readonly shown: SeenBuffer;
  readonly isAlt: boolean;
  /** The normal screen while the alternate one is shown, because it comes back unchanged. */
  readonly hidden: SeenBuffer | null;
  readonly epoch: number;
  readonly size: string;
}

/** The screen at a moment. */
export interface ScreenView {
  readonly rows: readonly FrameRow[];
  readonly altScreen: boolean;
  readonly epoch: number;
  readonly cols: number;
  readonly rowsCount: number;
  readonly scrolled: number;
  readonly uncounted: number;
}

export function viewOf({ frame, scrolled, uncounted }: TakenFrame): ScreenView {
  const { rows, altScreen, epoch, cols, rowsCount } = frame;
  return { rows, altScreen, epoch, cols, rowsCount, scrolled, uncounted };
}

/** Lines to search: the first `above` have left the screen, the others are on it. */
export interface TextLines {
  readonly lines: readonly FrameRow[];
  readonly newness: readonly Newness[];
  readonly above: number;
}

/** Everything after this position is new: its row from the column on, and all rows below. */
export interface Place {
  readonly row: number;
  readonly col: number;
}

const ALL_NEW: Newness = { head: 0, tail: 0 };

/** Starts with `view`, in which only the text after `place` is new. `hidden`: rows of the normal screen, if the alternate one is shown. */
export function beginSeen(view: ScreenView, hidden: readonly FrameRow[] | null, place?: Place): SeenText {
  const newness = view.rows.map((_, row): Newness => {
    if (!place || row < place.row) return null;
    return row === place.row ? { head: place.col, tail: 0 } : ALL_NEW;
  });
  return {
    shown: bufferOf(view, newness),
    isAlt: view.altScreen,
    hidden: hidden
      ? bufferOf(
          { ...view, rows: hidden },
          hidden.map(() => null),
        )
      : null,
    epoch: view.epoch,
    size: sizeOf(view),
  };
}

/**
 * Finds the new text in `view` compared to `seen`, and returns the next `seen` with it. `left` are the rows that left the screen
 * since, in order; older ones may be missing.
 */
export function lookForNew(seen: SeenText, view: ScreenView, left: readonly FrameRow[]): [SeenText, TextLines] {
  const all = [...left, ...view.rows];
  const newness = newnessOf(seen, view, left);
  const shown = bufferOf(view, newness.slice(left.length));
  const turned = seen.isAlt !== view.altScreen;
  const hidden = turned && view.altScreen ? seen.shown : view.altScreen ? seen.hidden : null;
  const now = { shown, isAlt: view.altScreen, hidden, epoch: view.epoch, size: sizeOf(view) };
  return [now, { lines: all, newness, above: left.length }];
}

function newnessOf(seen: SeenText, view: ScreenView, left: readonly FrameRow[]): Newness[] {
  const all = [...left, ...view.rows];
  if (seen.epoch !== view.epoch) return all.map(() => ALL_NEW); // an emptied screen has nothing old
  if (seen.isAlt !== view.altScreen) {
    const before = oldByOrder(seen.shown.rows, seen.shown.newness, left);
    return [...before, ...comeBack(seen, view)];
  }
  if (seen.size !== sizeOf(view)) return oldByResize(seen.shown.rows, seen.shown.newness, all);
  if (seen.shown.uncounted !== view.uncounted) return oldByOrder(seen.shown.rows, seen.shown.newness, all);
  const missing = view.scrolled - seen.shown.scrolled - left.length;
  return all.map((line, at) => changedIn(line, seen.shown, at + missing));
}

/** The alternate screen starts empty. The normal one comes back unchanged; if its earlier content is unknown, none of it counts as new. */
function comeBack(seen: SeenText, view: ScreenView): Newness[] {
  if (view.altScreen) return view.rows.map(() => ALL_NEW);
  if (!seen.hidden) return view.rows.map(() => null);
  return oldByOrder(seen.hidden.rows, seen.hidden.newness, view.rows);
}

/** The new part of `line`, which was line `at` of the seen ones. */
function changedIn(line: FrameRow, seen: SeenBuffer, at: number): Newness {
  const was = seen.rows[at];
  if (!was) return ALL_NEW;
  const before = seen.newness[at] ?? null;
  if (was.text === line.text) return before;
  const head = commonStart(was.text, line.text);
  const tail = commonEnd(was.text.slice(head), line.text.slice(head));
  return before ? { head: Math.min(before.head, head), tail: Math.min(before.tail, tail) } : { head, tail };
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

function commonEnd(a: string, b: string): number {
  let count = 0;
  while (count < a.length && count < b.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

function bufferOf({ rows, scrolled, uncounted }: ScreenView, newness: readonly Newness[]): SeenBuffer {
  return { rows, newness, scrolled, uncounted };
}

function sizeOf({ cols, rowsCount }: ScreenView): string {
  return `${cols}x${rowsCount}`;
}
