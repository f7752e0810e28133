import type { ImageRef, ImageSlice } from '../../contract/image.ts';
import type { ImageCore, ImageLine } from './imageCore.ts';
import type { KittyOwner } from './KittyGraphics.ts';

/** The part of an image in one row's cells: its `row`; its left edge is at column `left`. All cells share one object. */
export interface CoreTile {
  image: ImageRef;
  row: number;
  left: number;
  owner?: KittyOwner | undefined;
}

/** Numbers of a cell; the third has the background and the bit `HAS_EXTENDED`. As in xterm 6.0.0's BufferLine. */
const CELL_NUMBERS = 3;
const BACKGROUND = 2;
const HAS_EXTENDED = 0x10000000;

/**
 * Empties the cells `first` to `end` (exclusive) of a line and shows `tile` in them. The tile is stored where xterm stores a cell's underline
 * colour, so it scrolls, moves and disappears with the cell.
 */
export function putTile(
  core: ImageCore,
  line: ImageLine,
  tile: CoreTile,
  { first, end }: { first: number; end: number },
): void {
  const to = Math.min(end, line.length);
  if (first >= to) return;
  line.replaceCells(first, to, core.buffers.active.getNullCell());
  const Extended = core._inputHandler._curAttrData.extended.constructor as new () => object;
  const extended = Object.assign(new Extended(), { tile });
  for (let col = first; col < to; col += 1) {
    const at = col * CELL_NUMBERS + BACKGROUND;
    line._data[at] = ((line._data[at] ?? 0) | HAS_EXTENDED) >>> 0;
    line._extendedAttrs[col] = extended;
  }
}

/** The slices of images in a line, from left to right. */
export function slicesOf(line: ImageLine | undefined): (ImageSlice & { tile: CoreTile })[] {
  const slices: (ImageSlice & { tile: CoreTile })[] = [];
  if (!line) return slices;
  for (const key in line._extendedAttrs) {
    const col = Number(key);
    const tile = tileAt(line, col);
    if (!tile) continue;
    const last = slices.at(-1);
    if (last && last.tile === tile && last.first + last.count === col) last.count += 1;
    else slices.push({ tile, image: tile.image, row: tile.row, left: tile.left, first: col, count: 1 });
  }
  return slices;
}

/** Removes the tiles of a line that match. */
export function removeTiles(core: ImageCore, line: ImageLine, matches: (tile: CoreTile, col: number) => boolean): void {
  for (const key in line._extendedAttrs) {
    const col = Number(key);
    const tile = tileAt(line, col);
    if (tile && matches(tile, col)) line.replaceCells(col, col + 1, core.buffers.active.getNullCell());
  }
}

function tileAt(line: ImageLine, col: number): CoreTile | undefined {
  if (col >= line.length) return undefined;
  const isExtended = ((line._data[col * CELL_NUMBERS + BACKGROUND] ?? 0) & HAS_EXTENDED) !== 0;
  return isExtended ? line._extendedAttrs[col]?.tile : undefined;
}
