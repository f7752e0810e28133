import { CELL_PX, type ImageRef, type ImageSlice } from '../../src-main/contract/image.ts';

/** A cell of this window, in CSS px. */
export interface Cell {
  width: number;
  height: number;
}

/** Size of the whole image, in CSS px. Cells have another shape here than `CELL_PX`, so the image keeps its aspect ratio within its cells. */
export function shownSize(image: ImageRef, cell: Cell): Cell {
  const x = cell.width / CELL_PX.width;
  const y = cell.height / CELL_PX.height;
  const least = Math.min(x, y);
  return {
    width: image.shownWidth * (image.stretched ? x : least),
    height: image.shownHeight * (image.stretched ? y : least),
  };
}

/** Draws the part of an image in one line, with its first cell at `x` and `y`, in CSS px. */
export function drawSlice(
  context: CanvasRenderingContext2D,
  bitmap: ImageBitmap,
  { slice, cell, x, y }: { slice: ImageSlice; cell: Cell; x: number; y: number },
): void {
  const { image, row, left, first, count } = slice;
  const size = shownSize(image, cell);
  const part = image.crop ?? { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
  context.save();
  context.beginPath();
  context.rect(x, y, count * cell.width, cell.height);
  context.clip();
  context.imageSmoothingQuality = 'high';
  const [toX, toY] = [x - (first - left) * cell.width, y - row * cell.height];
  context.drawImage(bitmap, part.x, part.y, part.width, part.height, toX, toY, size.width, size.height);
  context.restore();
}
