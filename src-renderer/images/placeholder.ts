import type { ImageSlice } from '../../src-main/contract/image.ts';
import type { Cell } from './drawSlice.ts';

interface Place {
  slice: ImageSlice;
  cell: Cell;
  /** Of the whole image. */
  size: Cell;
  at: { x: number; y: number };
}

/** Draws one line of the box that replaces an image: its frame, and in some lines the reason. */
export function drawPlaceholder(
  context: CanvasRenderingContext2D,
  why: string,
  { slice, cell, size, at }: Place,
): void {
  const style = getComputedStyle(context.canvas);
  const color = (name: string) => style.getPropertyValue(name) || 'gray';
  const [left, top] = [at.x - (slice.first - slice.left) * cell.width, at.y - slice.row * cell.height];
  context.save();
  context.beginPath();
  context.rect(at.x, at.y, slice.count * cell.width, cell.height);
  context.clip();
  context.fillStyle = color('--raised');
  context.fillRect(left, top, size.width, size.height);
  context.strokeStyle = color('--hairline-strong');
  context.strokeRect(left + 0.5, top + 0.5, size.width - 1, size.height - 1);
  context.restore(); // the text may be longer than the image is wide
  if (saysWhy(slice)) {
    context.font = `${Math.round(cell.height * 0.62)}px ${style.getPropertyValue('--face-sans') || 'sans-serif'}`;
    context.fillStyle = color('--text-2');
    context.textBaseline = 'middle';
    context.fillText(why, left + 8, at.y + cell.height / 2 + 1);
  }
}

/** A placeholder may be taller than the view, so every tenth line has the reason. */
export function saysWhy({ row }: ImageSlice): boolean {
  return row % 10 === 0;
}
