import type { IBufferLine } from '@xterm/headless';
import { lookKey } from './cellLook.ts';
import type { Cell } from './xtermInternals.ts';

/**
 * Tells the runs of one row's cells, left to right: `take(text, key, look)` gets the text of cells with one look, the look's
 * key (see `lookKey`) and a cell that has it, valid during the call. Cells never written count as spaces; those at the end
 * are left out unless they are coloured.
 */
export function readRuns(line: IBufferLine, cell: Cell, take: (text: string, key: string, look: Cell) => void): void {
  const end = contentEnd(line, cell);
  let text = '';
  let key = '';
  let runStart = 0;
  for (let col = 0; col < end; col++) {
    line.getCell(col, cell);
    const width = cell.getWidth();
    if (width === 0) continue;
    const own = lookKey(cell);
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
    text += cell.getChars() || ' ';
  }
  if (text === '') return;
  line.getCell(runStart, cell);
  take(text, key, cell);
}

/** Column after the last cell that shows anything. */
function contentEnd(line: IBufferLine, cell: Cell): number {
  for (let col = line.length - 1; col >= 0; col--) {
    line.getCell(col, cell);
    if (cell.getChars() !== '' || !cell.isBgDefault() || cell.isInverse()) return col + (cell.getWidth() || 1);
  }
  return 0;
}
