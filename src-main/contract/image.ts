/** A range of output.raw, from its first byte to the one after its last. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * An image that a program printed (sixel, iTerm2's inline images, kitty's graphics): the range of its bytes, and its size. Only output.raw
 * stores its pixels; viewers read the sequences there. In the files of a block, its range counts from
 * the block's start.
 */
export interface ImageRef extends ByteRange {
  /** Its own size in px. */
  width: number;
  height: number;
  /** Display size, in px of cells of `CELL_PX`. */
  shownWidth: number;
  shownHeight: number;
  /** True if it fills the display size without keeping its aspect ratio. */
  stretched: boolean;
  /** The displayed part, in the image's own px. */
  crop: { x: number; y: number; width: number; height: number } | null;
  /** Bytes of pixels of the drawn images before it in the same block. */
  before: number;
}

/** The part of an image in one line: its `row` (from 0) in the columns `first` to `first + count - 1`. The image's left edge is at column `left`. */
export interface ImageSlice {
  image: ImageRef;
  row: number;
  left: number;
  first: number;
  count: number;
}

/** Assumed cell size in px for placing images: the core, all windows and all programs then agree on the cells of an image. */
export const CELL_PX = { width: 8, height: 20 } as const;
/** Most cells of an image in either direction; a taller one is cut. */
export const MAX_IMAGE_CELLS = 500;
/** Pixels to draw of all images of one card (4 bytes each). */
export const MAX_CARD_PIXEL_BYTES = 32_000_000;
/** Maximum bytes of one printed image. */
export const MAX_IMAGE_BYTES = 16_000_000;

export function pixelBytes({ width, height }: { width: number; height: number }): number {
  return width * height * 4;
}

/** Size of an image in whole cells. */
export function cellsOf({ shownWidth, shownHeight }: ImageRef): { cols: number; rows: number } {
  const cells = (px: number, cellPx: number) => Math.max(1, Math.min(MAX_IMAGE_CELLS, Math.ceil(px / cellPx)));
  return { cols: cells(shownWidth, CELL_PX.width), rows: cells(shownHeight, CELL_PX.height) };
}

/** Prefix of a slice's text, in a string sequence (APC) of a screen's state or a rendered line. */
const SLICE = 'ht';

export function sliceText({ image, row, left, first, count }: ImageSlice): string {
  return `${SLICE};${[row, left, first, count].join(',')};${imageText(image)}`;
}

/** Reads the text of `sliceText`; undefined for other text. */
export function readSlice(text: string): ImageSlice | undefined {
  const [name, place = '', image = ''] = text.split(';');
  const [row, left, first, count] = numbers(place);
  const ref = readImageText(image);
  if (name !== SLICE || !ref || row === undefined || left === undefined || first === undefined || !count)
    return undefined;
  return { image: ref, row, left, first, count };
}

export function imageText(image: ImageRef): string {
  const { from, to, width, height, shownWidth, shownHeight, stretched, crop, before } = image;
  const whole = [from, to, width, height, shownWidth, shownHeight, stretched ? 1 : 0, before];
  return [...whole, ...(crop ? [crop.x, crop.y, crop.width, crop.height] : [])].join(',');
}

export function readImageText(text: string): ImageRef | undefined {
  const [from, to, width, height, shownWidth, shownHeight, stretched, before, x, y, cropWidth, cropHeight] =
    numbers(text);
  if (from === undefined || to === undefined || to < from || before === undefined) return undefined;
  if (!width || !height || !shownWidth || !shownHeight) return undefined;
  const crop =
    x !== undefined && y !== undefined && cropWidth && cropHeight
      ? { x, y, width: cropWidth, height: cropHeight }
      : null;
  return { from, to, width, height, shownWidth, shownHeight, stretched: stretched === 1, crop, before };
}

/** Parses non-negative integers; empty if any of them is invalid. */
function numbers(text: string): number[] {
  const all = text.split(',').map(Number);
  return all.every((value) => Number.isSafeInteger(value) && value >= 0) ? all : [];
}
