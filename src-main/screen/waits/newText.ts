import type { FrameRow } from '../../contract/screen/frame.ts';
import type { TakenFrame } from '../frames/FrameHistory.ts';
import { type Newness, oldByOrder, oldByResize } from '../rows/oldLines.ts';

/** One of the two buffers as it was last looked at. */
interface SeenBuffer {
  readonly rows: readonly FrameRow[];
  readonly newness: readonly Newness[];
  readonly scrolled: number;
  readonly uncounted: number;
}

/** What somebody who waits for new text has seen. */
export interface SeenText {
  readonly shown: SeenBuffer;
  readonly isAlt: boolean;
  /** The normal screen while the alternate one is shown: it comes back as it was. */
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

/** Lines to be searched: `above` of them have left the screen, the others are on it. */
export interface TextLines {
  readonly lines: readonly FrameRow[];
  readonly newness: readonly Newness[];
  readonly above: number;
}

/** Behind this place everything is new: in the row from the column on, and in all rows below. */
export interface Place {
  readonly row: number;
  readonly col: number;
}

const ALL_NEW: Newness = { head: 0, tail: 0 };

/** Somebody begins to look: nothing of `view` is new but what is behind `place`. `hidden`: rows of the normal screen, if the other is shown. */
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
 * Finds what is new in `view` to somebody who has seen `seen`, and what they have seen then. `left` are the rows that left the screen
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

/** The alternate screen starts empty; the normal one comes back as it was, and if nobody knows how that was, nothing of it is new. */
function comeBack(seen: SeenText, view: ScreenView): Newness[] {
  if (view.altScreen) return view.rows.map(() => ALL_NEW);
  if (!seen.hidden) return view.rows.map(() => null);
  return oldByOrder(seen.hidden.rows, seen.hidden.newness, view.rows);
}

/** What is new in `line`, which was line `at` of what was seen. */
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
