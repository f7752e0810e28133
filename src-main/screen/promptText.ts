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
