import type { ChatSnapshot, ScreenStep } from '../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';
import { findPlace, isSameText } from './alignRows.ts';

/** The rows known after a step. */
export interface Tape {
  /** Rows that scrolled off, then the rows of the screen. */
  readonly rows: readonly FrameRow[];
  /** Index of the screen's first row in `rows`. */
  readonly top: number;
  /** Number of rows at the top of `rows` that belong to the shell. */
  readonly foreign: number;
  /** Indexes of rows that are not proved to continue the row above them. */
  readonly seams: readonly number[];
  readonly screen: readonly FrameRow[];
  readonly height: number;
  readonly cols: number;
  readonly altScreen: boolean;
}

/** A picture, and whether the rows before it are proved to be those directly above it. */
export type Joint = Picture & { readonly isProved: boolean };

/** A step's picture: the agent's rows of the screen, and the rows that scrolled off before it. */
export interface Picture {
  readonly step: ScreenStep;
  readonly left: readonly FrameRow[];
  /** Number of these that the next row does not continue; 0 if unknown. */
  readonly apart: number;
  /** The rows that were below the last of `left`; empty if they do not matter. */
  readonly below: readonly FrameRow[];
  readonly screen: readonly FrameRow[];
  /** Index of the first row of `screen` below the scrolling part. */
  readonly bodyEnd: number;
}

/** The tape after a step. `isExact`: nothing was inferred from how rows look. */
export type Moved = { readonly tape: Tape; readonly isExact: boolean };

/** Whether the first row with words of the old screen is still there, unchanged or longer. */
export function goesOn({ screen: before, top }: Tape, { left, screen }: Picture): boolean {
  const at = before.findIndex(({ text }) => text.trim() !== '');
  const [was, is] = [before[at], at < left.length ? left[at] : screen[at - left.length]];
  return top === 0 || !was || (is?.text.trimEnd() ?? '').startsWith(was.text.trimEnd());
}

/**
 * Returns the indexes of the scrolled-off rows at which a redraw of the normal screen began: where the recorder saw one, and 0 if the first
 * row is not the top row of the screen `before`.
 */
export function seamsOf(before: readonly FrameRow[], { left, apart, screen }: Picture): number[] {
  const isAnew = before.length > 0 && !isSameText(before[0], left[0] ?? screen[0]);
  return [...(isAnew ? [0] : []), ...(apart > 0 ? [apart] : [])];
}

/**
 * Adds rows that scrolled off the top of the tape's screen, possibly after they had moved. Returns null if the tape never had any of them.
 * `moving`: number of rows of the screen that may have moved.
 */
export function withLeft(tape: Tape, left: readonly FrameRow[], moving: number): Tape | null {
  const isTop = left.every((row, at) => at >= Math.max(1, moving) || isSameText(row, tape.rows[tape.top + at]));
  const place = isTop ? tape.top : findPlace(tape.rows, left, tape.top)?.at;
  if (place === undefined) return null;
  const from = Math.max(0, place);
  const rows = [...tape.rows.slice(0, from), ...left, ...tape.rows.slice(from + left.length)];
  return { ...tape, rows, top: from + left.length };
}

/**
 * The rows of `screen`, placed at row `at` of the tape, with the tape's rows in the place of blank rows at its top: a program that scrolls
 * its text may leave its first rows blank (Claude Code 2.1.329). Rows that become blank without scrolling were erased.
 */
export function withBlankedTop(
  { rows, top, screen: before }: Tape,
  screen: readonly FrameRow[],
  at: number,
): readonly FrameRow[] {
  if (at < top) return screen;
  const first = screen.findIndex(({ text }) => text.trim() !== '');
  const isKept = (row: number) => at > top || before[row]?.text.trim() === '';
  return screen.map((row, place) => (place < first && isKept(place) ? (rows[at + place] ?? row) : row));
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
    ...(header > 0 && { header: step.rows.slice(0, header) }),
    ...(seams.length > 0 && { seams: seams.map((seam) => seam - foreign).filter((seam) => seam >= 0) }),
  };
}
