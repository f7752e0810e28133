import type { ChatSnapshot, ScreenStep } from '../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';
import { findPlace, isSameText } from './alignRows.ts';

/** What is held between two steps. */
export interface Tape {
  /** Rows that left, then the screen's. */
  readonly rows: readonly FrameRow[];
  /** Index of the screen's first row in `rows`. */
  readonly top: number;
  /** Rows at the top of `rows` that are the shell's. */
  readonly foreign: number;
  /** Rows, by index, that are not proved to continue the row above them. */
  readonly seams: readonly number[];
  readonly screen: readonly FrameRow[];
  readonly height: number;
  readonly cols: number;
  readonly altScreen: boolean;
}

/** A picture, and whether the rows it is put behind are proved to be those above it. */
export type Joint = Picture & { readonly isProved: boolean };

/** A step's picture: the rows of the screen that count, those that left before it. */
export interface Picture {
  readonly step: ScreenStep;
  readonly left: readonly FrameRow[];
  /** Of these so many that are not continued by what follows; 0: none is known of. */
  readonly apart: number;
  /** What stood below the last of `left`; empty where that does not matter. */
  readonly below: readonly FrameRow[];
  readonly screen: readonly FrameRow[];
  /** First row of `screen` below the part that scrolls. */
  readonly bodyEnd: number;
}

/** The tape with a step taken in; exact: nothing about it was inferred from looks. */
export type Moved = { readonly tape: Tape; readonly isExact: boolean };

/** The first row with words behind those that are above the screen is the one that stood there, or it has only grown. */
export function goesOn({ screen: before, top }: Tape, { left, screen }: Picture): boolean {
  const at = before.findIndex(({ text }) => text.trim() !== '');
  const [was, is] = [before[at], at < left.length ? left[at] : screen[at - left.length]];
  return top === 0 || !was || (is?.text.trimEnd() ?? '').startsWith(was.text.trimEnd());
}

/**
 * Before which of the rows that left the normal screen it was drawn anew: as the recorder tells, and where another row than stood at its
 * top `before` left first, or stands there now.
 */
export function seamsOf(before: readonly FrameRow[], { left, apart, screen }: Picture): number[] {
  const isAnew = before.length > 0 && !isSameText(before[0], left[0] ?? screen[0]);
  return [...(isAnew ? [0] : []), ...(apart > 0 ? [apart] : [])];
}

/**
 * The tape with rows that left its screen from the top, which may have moved before they did. Null where it never had any of them.
 * `moving`: so many rows of the screen are not known to stand still.
 */
export function withLeft(tape: Tape, left: readonly FrameRow[], moving: number): Tape | null {
  const isTop = left.every((row, at) => at >= Math.max(1, moving) || isSameText(row, tape.rows[tape.top + at]));
  const place = isTop ? tape.top : findPlace(tape.rows, left, tape.top)?.at;
  if (place === undefined) return null;
  const from = Math.max(0, place);
  const rows = [...tape.rows.slice(0, from), ...left, ...tape.rows.slice(from + left.length)];
  return { ...tape, rows, top: from + left.length };
}

export function snapshotOf({ rows, top, foreign, seams, screen }: Tape, step: ScreenStep): ChatSnapshot {
  const header = step.rows.length - screen.length;
  const hidden = header + Math.max(0, foreign - top);
  const cursorRow = step.cursorRow === null || step.cursorRow < hidden ? null : step.cursorRow - hidden;
  return {
    rows: rows.slice(foreign),
    screenTop: Math.max(0, top - foreign),
    cols: step.cols,
    altScreen: step.altScreen,
    title: step.title,
    cursorRow,
    ...(seams.length > 0 && { seams: seams.map((seam) => seam - foreign).filter((seam) => seam >= 0) }),
  };
}
