import type { IBuffer, IMarker, Terminal } from '@xterm/headless';
import { type Cell, scratchCell } from '../../shared/xterm/xtermInternals.ts';

/** A position in the text that moves along with its line. */
export interface ScreenMark {
  readonly marker: IMarker;
  readonly col: number;
  /** Number of resizes of the screen by then; a reflow moves columns, so a mark with another count has no column. */
  readonly resizes: number;
}

/**
 * The command line in the cells: from `from` (the prompt's end) over soft wraps to the first cell that was never written,
 * which only a right-hand prompt may follow. Without blanks at the end: a shell that erases by printing blanks leaves them
 * behind.
 *
 * null if the cells cannot prove it: the mark is gone (scrolled out, cleared), the line has a second, unwrapped row (a
 * continuation prompt) or more rows than the screen (no line editor can redraw those above it), or a full-screen program is
 * shown. With `isEntered` the cursor must be at the start of the row below.
 */
export function textFromMark(terminal: Terminal, from: ScreenMark, isEntered: boolean): string | null {
  const { active, normal } = terminal.buffer;
  if (active !== normal || from.marker.isDisposed || from.marker.line < 0) return null;
  const cell = scratchCell(normal);
  const lastRow = lastWrappedRow(normal, from.marker.line);
  const cursorRow = normal.baseY + normal.cursorY;
  const isInPlace = isEntered ? cursorRow === lastRow + 1 && normal.cursorX === 0 : cursorRow <= lastRow;
  if (!isInPlace || cursorRow < from.marker.line || lastRow - from.marker.line >= terminal.rows) return null;
  let text = '';
  for (let row = from.marker.line; row <= lastRow; row++) {
    const part = readWritten(normal, row, row === from.marker.line ? from.col : 0, cell);
    text += part.text;
    if (part.isCutShort) break;
  }
  return text.trimEnd();
}

/** More rows than a person enters for one command. */
const MAX_COMMAND_ROWS = 500;

/**
 * The rows of an entered command from `from` to the one above the cursor, with soft wraps joined, with the prompts of continued lines
 * and without trailing blanks. null if the cells cannot prove them.
 */
export function rowsFromMark(terminal: Terminal, from: ScreenMark): string[] | null {
  const { active, normal } = terminal.buffer;
  const { line, isDisposed } = from.marker;
  const end = normal.baseY + normal.cursorY;
  if (active !== normal || isDisposed || line < 0 || normal.cursorX !== 0) return null;
  if (end <= line || end - line > MAX_COMMAND_ROWS) return null;
  let text = '';
  for (let row = line; row < end; row++) {
    if (row > line) text += rowBreak(normal, row);
    text += readCells(normal, row, row === line ? from.col : 0, terminal.cols);
  }
  return text.includes(MARGIN) ? null : text.split('\n').map((row) => row.trimEnd());
}

/** In `beforeCursor`: a blank or nothing, at the end of a row in which a wide character did not fit. */
const MARGIN = '\0';

/** The shell's line on the screen, and how to send keys to the program in the foreground. */
export interface ScreenInput {
  /**
   * Text from the prompt's end to the cursor. LF joins two rows if the first is not full; NUL stands for a blank or nothing. null if the
   * prompt's end is unknown, the cursor is before it, or a full-screen program is shown.
   */
  readonly beforeCursor: string | null;
  /** No text follows the prompt's end, and the cursor is there. */
  readonly isEmpty: boolean;
  readonly bracketedPaste: boolean;
  /** DECCKM: send arrows as `ESC O A`. */
  readonly applicationCursor: boolean;
  /** Mouse events that the program wants, with xterm's names: X10, VT200, DRAG, ANY and DEFAULT, SGR, SGR_PIXELS. */
  readonly mouse: { readonly protocol: string; readonly encoding: string } | null;
  /** DEC mode 2026: the program is drawing, so frames are held back until it ends or takes too long. */
  readonly syncOutput: boolean;
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
    const first = row === line ? from.col : 0;
    const part = readCells(normal, row, first, row === cursor ? normal.cursorX : terminal.cols);
    if (row > line) text += rowBreak(normal, row);
    text += part;
  }
  const isEmpty = text === '' && textFromMark(terminal, from, false) === '';
  return { beforeCursor: text, isEmpty };
}

/**
 * The separator between two rows of the line: '' if the first one is full (the line editor may have wrapped it by itself), `MARGIN` if
 * its last column is blank because a wide character did not fit, otherwise LF.
 */
function rowBreak(buffer: IBuffer, row: number): string {
  const cell = scratchCell(buffer);
  const above = buffer.getLine(row - 1);
  const here = buffer.getLine(row);
  if (!above || !here) return '\n';
  above.getCell(above.length - 1, cell);
  const last = cell.getWidth() === 0 ? 'wide' : cell.getChars();
  here.getCell(0, cell);
  if ((last === '' || last === ' ') && cell.getWidth() === 2) return MARGIN;
  return here.isWrapped || last !== '' ? '' : '\n';
}

/** Cells from..to of a row; unwritten cells indent its start and end it elsewhere. Leaves out the blank that `rowBreak` reports. */
function readCells(buffer: IBuffer, row: number, from: number, to: number): string {
  const cell = scratchCell(buffer);
  const line = buffer.getLine(row);
  let text = '';
  for (let col = from; line && col < to && col < line.length; col++) {
    line.getCell(col, cell);
    const isUnwritten = cell.getChars() === '' && cell.getWidth() > 0;
    if (isUnwritten && text.trim() !== '') break;
    if (isUnwritten && from > 0) break;
    text += isUnwritten ? ' ' : cell.getChars();
  }
  const isWhole = line !== undefined && to >= line.length;
  return isWhole && text.endsWith(' ') && rowBreak(buffer, row + 1) === MARGIN ? text.slice(0, -1) : text;
}

function lastWrappedRow(buffer: IBuffer, row: number): number {
  let last = row;
  while (buffer.getLine(last + 1)?.isWrapped) last += 1;
  return last;
}

/** Text of the cells from `fromCol` to the first unwritten one. A single missing cell at the margin belongs to a wide character that wrapped. */
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
