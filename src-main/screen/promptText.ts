import type { IBuffer, IMarker, Terminal } from '@xterm/headless';
import { type Cell, scratchCell } from './xtermInternals.ts';

/** A place in the text that moves along with its line. */
export interface ScreenMark {
  readonly marker: IMarker;
  readonly col: number;
  /** How often the screen had been resized; a reflow moves columns, so a mark of another count has no column. */
  readonly resizes: number;
}

/**
 * The command line as the cells show it: from `from` (where the prompt ended) over soft wraps to the first cell that was
 * never written, which is where a right-hand prompt or nothing follows. Without blanks at the end: a shell that erases by
 * printing a blank leaves those behind.
 *
 * null when the cells cannot vouch for it: the mark is gone (scrolled out, cleared), the line has a second, unwrapped row (a
 * continuation prompt), or a full-screen program is shown. With `isEntered` the cursor must be at the start of the row below.
 */
export function textFromMark(terminal: Terminal, from: ScreenMark, isEntered: boolean): string | null {
  const { active, normal } = terminal.buffer;
  if (active !== normal || from.marker.isDisposed || from.marker.line < 0) return null;
  const cell = scratchCell(normal);
  const lastRow = lastWrappedRow(normal, from.marker.line);
  const cursorRow = normal.baseY + normal.cursorY;
  const isInPlace = isEntered ? cursorRow === lastRow + 1 && normal.cursorX === 0 : cursorRow <= lastRow;
  if (!isInPlace || cursorRow < from.marker.line) return null;
  let text = '';
  for (let row = from.marker.line; row <= lastRow; row++) {
    const part = readWritten(normal, row, row === from.marker.line ? from.col : 0, cell);
    text += part.text;
    if (part.isCutShort) break;
  }
  return text.trimEnd();
}

/** What a shell's line editor shows, and how keys reach whoever has the terminal. */
export interface ScreenInput {
  /**
   * Text from the prompt's end to the cursor, rows that are no continuation of the one above joined by LF. null when that cannot be told: the
   * prompt's end is not known, the cursor stands before it, or a full-screen program is shown.
   */
  readonly beforeCursor: string | null;
  /** Nothing at all stands behind the prompt's end, and the cursor is there. */
  readonly isEmpty: boolean;
  readonly bracketedPaste: boolean;
  /** DECCKM: arrows are sent as `ESC O A`. */
  readonly applicationCursor: boolean;
  /** What the program wants to hear of the mouse; names are xterm's: X10, VT200, DRAG, ANY and DEFAULT, SGR, SGR_PIXELS. */
  readonly mouse: { readonly protocol: string; readonly encoding: string } | null;
}

/** The line from `from` to the cursor. */
export function readInput(
  terminal: Terminal,
  from: ScreenMark | undefined,
): Pick<ScreenInput, 'beforeCursor' | 'isEmpty'> {
  const { active, normal } = terminal.buffer;
  const cursor = normal.baseY + normal.cursorY;
  const isKnown = active === normal && from && !from.marker.isDisposed && from.marker.line >= 0;
  if (!isKnown || cursor < from.marker.line || (cursor === from.marker.line && normal.cursorX < from.col))
    return { beforeCursor: null, isEmpty: false };
  const { line } = from.marker;
  let text = '';
  for (let row = line; row <= cursor; row++) {
    if (row > line && !normal.getLine(row)?.isWrapped) text += '\n';
    text += readCells(normal, row, row === line ? from.col : 0, row === cursor ? normal.cursorX : terminal.cols);
  }
  const isEmpty = text === '' && textFromMark(terminal, from, false) === '';
  return { beforeCursor: text, isEmpty };
}

/** Cells from..to of a row; those that were never written end it, since only the line editor's own text is asked for. */
function readCells(buffer: IBuffer, row: number, from: number, to: number): string {
  const cell = scratchCell(buffer);
  const line = buffer.getLine(row);
  let text = '';
  for (let col = from; line && col < to && col < line.length; col++) {
    line.getCell(col, cell);
    if (cell.getChars() === '' && cell.getWidth() > 0) break;
    text += cell.getChars();
  }
  return text;
}

function lastWrappedRow(buffer: IBuffer, row: number): number {
  let last = row;
  while (buffer.getLine(last + 1)?.isWrapped) last += 1;
  return last;
}

/** Text of the cells from `fromCol` up to the first one that was never written. One missing cell at the margin is a wide character's that wrapped. */
function readWritten(buffer: IBuffer, row: number, fromCol: number, cell: Cell): { text: string; isCutShort: boolean } {
  const line = buffer.getLine(row);
  let text = '';
  for (let col = fromCol; line && col < line.length; col++) {
    line.getCell(col, cell);
    const chars = cell.getChars();
    if (chars === '' && cell.getWidth() > 0) return { text, isCutShort: col < line.length - 1 };
    text += chars;
  }
  return { text, isCutShort: false };
}
