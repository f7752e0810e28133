import type { IBufferLine } from '@xterm/headless';
import type { FrameRow } from '../../contract/screen/frame.ts';
import { type CoreLine, coreLineOf } from '../../shared/xterm/xtermInternals.ts';

/** xterm packs a cell into three numbers: content, fg, bg. */
const NUMBERS_PER_CELL = 3;
/** `content` of a cell that was never written; its other numbers are 0. */
const NEVER_WRITTEN = 0x400000;
/** Bits of `content` and `bg` that mark further data outside the three numbers: combined characters; a link or an underline's style. */
const IS_COMBINED = 0x200000;
const HAS_EXTENDED = 0x10000000;
/** Rows in each of two generations: several screens and the rows drawn above them. 1.5 MB when both are full. */
const MOST_ROWS = 512;
/** Odd, for multiplicative hashing (FNV's prime, 32 bits). */
const PRIME = 0x01000193;

interface Known {
  readonly cells: Uint32Array;
  readonly isWrapped: boolean;
  readonly row: FrameRow;
}

/**
 * Rows that were read, by their cells, regardless of position: programs draw the same rows again and again, and finding one costs a tenth of
 * reading it. Equal rows become one object. Rows with data outside their cells' numbers are not cached.
 */
export class RowCache {
  #young = new Map<number, Known>();
  #old = new Map<number, Known>();

  /** Returns the row of `line`: a cached one, otherwise the result of `read`. */
  get(line: IBufferLine, read: () => FrameRow): FrameRow {
    const own = coreLineOf(line);
    if (!own) return read();
    const { _data: data, isWrapped } = own;
    const end = writtenEnd(data, own.length);
    const hash = hashOf(data, end);
    const young = this.#young.get(hash);
    const known = young ?? this.#old.get(hash);
    if (known && known.isWrapped === isWrapped && isSame(known.cells, data, end)) {
      if (!young) this.#put(hash, known);
      return known.row;
    }
    const row = read();
    if (saysAll(data, end)) this.#put(hash, { cells: data.slice(0, end), isWrapped, row });
    return row;
  }

  #put(hash: number, known: Known): void {
    this.#young.set(hash, known);
    if (this.#young.size < MOST_ROWS) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}

/** Hash of a line's text, without attributes: two texts collide once in four billion. 0 without a line. */
export function cellsHash(line: CoreLine | undefined): number {
  return line ? hashOf(line._data, writtenEnd(line._data, line.length)) : 0;
}

/** Offset after the numbers of the last cell that was ever changed. */
function writtenEnd(data: Uint32Array, cells: number): number {
  let end = cells * NUMBERS_PER_CELL;
  while (end > 0 && data[end - 3] === NEVER_WRITTEN && data[end - 2] === 0 && data[end - 1] === 0)
    end -= NUMBERS_PER_CELL;
  return end;
}

/** Hashes only the text; attributes are compared. */
function hashOf(data: Uint32Array, end: number): number {
  let hash = end;
  for (let at = 0; at < end; at += NUMBERS_PER_CELL) hash = Math.imul(hash ^ (data[at] ?? 0), PRIME);
  return hash;
}

function saysAll(data: Uint32Array, end: number): boolean {
  for (let at = 0; at < end; at += NUMBERS_PER_CELL) {
    if (((data[at] ?? 0) & IS_COMBINED) !== 0 || ((data[at + 2] ?? 0) & HAS_EXTENDED) !== 0) return false;
  }
  return true;
}

function isSame(cells: Uint32Array, data: Uint32Array, end: number): boolean {
  if (cells.length !== end) return false;
  for (let at = 0; at < end; at += 1) if (cells[at] !== data[at]) return false;
  return true;
}
