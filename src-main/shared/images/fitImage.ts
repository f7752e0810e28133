import { type ByteRange, CELL_PX, type ImageRef } from '../../contract/image.ts';

interface Box {
  width: number;
  height: number;
}

/** An image at its own size, px for px. */
export function imageAsIs({ from, to }: ByteRange, { width, height }: Box): ImageRef {
  const shown = { shownWidth: width, shownHeight: height };
  return { from, to, width, height, ...shown, stretched: false, crop: null, before: 0 };
}

/** A length given by a program: cells, px, percent of the screen, or none. */
export type Length = { cells: number } | { px: number } | { percent: number } | undefined;

/** A length as iTerm2 writes it: `12`, `12px`, `12%`, `auto`. */
export function readLength(text: string | undefined): Length {
  const [, digits, unit] = /^(\d{1,6})(px|%)?$/.exec(text ?? '') ?? [];
  const value = Number(digits ?? 0);
  if (value === 0) return undefined;
  return unit === 'px' ? { px: value } : unit === '%' ? { percent: value } : { cells: value };
}

/**
 * Display size of an image, in px of cells of `CELL_PX`. If only one side is given, the other follows the aspect ratio; if none is,
 * an image wider than the screen is reduced, as in iTerm2.
 */
export function fitSize(image: Box, wanted: { width: Length; height: Length; keepsShape: boolean }, screen: Box): Box {
  const width = pxOf(wanted.width, CELL_PX.width, screen.width);
  const height = pxOf(wanted.height, CELL_PX.height, screen.height);
  if (width !== undefined && height !== undefined) {
    if (!wanted.keepsShape) return { width, height };
    return scaled(image, Math.min(width / image.width, height / image.height));
  }
  if (width !== undefined) return scaled(image, width / image.width);
  if (height !== undefined) return scaled(image, height / image.height);
  return scaled(image, Math.min(1, screen.width / image.width));
}

function pxOf(length: Length, cellPx: number, screenPx: number): number | undefined {
  if (!length) return undefined;
  if ('px' in length) return length.px;
  return 'cells' in length ? length.cells * cellPx : Math.max(1, Math.round((length.percent * screenPx) / 100));
}

function scaled({ width, height }: Box, factor: number): Box {
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}
