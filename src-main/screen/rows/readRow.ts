import type { IBufferLine } from '@xterm/headless';
import type { Cell } from '../../shared/xterm/xtermInternals.ts';
import { lookKey } from './cellLook.ts';
import { SHELL_TEXT, ShellRanges, type ShellTextRanges } from './ShellText.ts';

/**
 * Reports the runs of one row's cells, left to right: `take(text, key, look)` gets the text of cells with equal attributes, their
 * key (see `lookKey`) and one of the cells, valid during the call. Unwritten cells count as spaces, and are left out at the
 * row's end unless they are coloured. Returns the ranges of the shell's text, if any.
 */
export function readRuns(
  line: IBufferLine,
  cell: Cell,
  take: (text: string, key: string, look: Cell) => void,
): ShellTextRanges | undefined {
  const end = contentEnd(line, cell);
  let text = '';
  let key = '';
  let runStart = 0;
  let length = 0;
  let shell: ShellRanges | undefined;
  for (let col = 0; col < end; col++) {
    line.getCell(col, cell);
    const width = cell.getWidth();
    if (width === 0) continue;
    const own = lookKey(cell);
    const chars = cell.getChars() || ' ';
    if ((cell.bg & SHELL_TEXT) !== 0)
      shell ??= new ShellRanges(length, line.translateToString(true, 0, col).trim() === '');
    shell?.take(chars, cell.bg);
    length += chars.length;
    if (own !== key && text !== '') {
      line.getCell(runStart, cell);
      take(text, key, cell);
      line.getCell(col, cell);
      text = '';
    }
    if (text === '') {
      key = own;
      runStart = col;
    }
    text += chars;
  }
  if (text === '') return undefined;
  line.getCell(runStart, cell);
  take(text, key, cell);
  return shell?.end();
}

/** Column after the last visible cell. */
function contentEnd(line: IBufferLine, cell: Cell): number {
  for (let col = line.length - 1; col >= 0; col--) {
    line.getCell(col, cell);
    if (cell.getChars() !== '' || !cell.isBgDefault() || cell.isInverse()) return col + (cell.getWidth() || 1);
  }
  return 0;
}
