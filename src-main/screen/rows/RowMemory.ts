import type { IBufferLine } from '@xterm/headless';
import type { FrameRow } from '../../contract/screen/frame.ts';
import { type CoreLine, coreLineOf } from '../../shared/xterm/xtermInternals.ts';

/** xterm packs a cell into three numbers: content, fg, bg. */
const NUMBERS_PER_CELL = 3;
/** Bits of `content` and `bg` that mark further data outside the three numbers: combined characters; a link or an underline's style. */
const IS_COMBINED = 0x200000;
const HAS_EXTENDED = 0x10000000;

interface Read {
  cells: Uint32Array;
  isWrapped: boolean;
  row: FrameRow;
}

/**
 * Remembers the cells of each row of the screen when it was read, so that an unchanged row is not read again: comparing costs a
 * fortieth. Rows with data outside their cells' numbers are never remembered.
 */
export class RowMemory {
  readonly #reads: (Read | undefined)[] = [];

  /** Returns the remembered row `at` if `line` still has the same cells. */
  recall(at: number, line: IBufferLine | undefined): FrameRow | undefined {
    const read = this.#reads[at];
    const own = read && coreLineOf(line);
    return own && own.isWrapped === read.isWrapped && isSame(read.cells, own) ? read.row : undefined;
  }

  keep(at: number, line: IBufferLine | undefined, row: FrameRow): void {
    const own = coreLineOf(line);
    this.#reads[at] = own && saysAll(own) ? { cells: cellsOf(own).slice(), isWrapped: own.isWrapped, row } : undefined;
  }
}

function cellsOf({ _data, length }: CoreLine): Uint32Array {
  return _data.subarray(0, length * NUMBERS_PER_CELL);
}

function isSame(cells: Uint32Array, { _data, length }: CoreLine): boolean {
  if (cells.length !== length * NUMBERS_PER_CELL) return false;
  for (let at = 0; at < cells.length; at += 1) if (cells[at] !== _data[at]) return false;
  return true;
}

function saysAll({ _data, length }: CoreLine): boolean {
  for (let at = 0; at < length * NUMBERS_PER_CELL; at += NUMBERS_PER_CELL) {
    if (((_data[at] ?? 0) & IS_COMBINED) !== 0 || ((_data[at + 2] ?? 0) & HAS_EXTENDED) !== 0) return false;
  }
  return true;
}
