import type { ImageSlice } from '../../src-main/contract/image.ts';
import { strings } from '../app/strings.ts';
import { type Cell, drawSlice, shownSize } from './drawSlice.ts';
import type { ImageLoader, LoadedImage } from './ImageLoader.ts';
import { saysWhy } from './placeholder.ts';
import { shownImages } from './ShownImages.svelte.ts';

/**
 * Adds what a finished line shows of images to its element: a canvas for each, over the cells that the image had. Lines are as tall as rows are, so
 * an image is whole where all of its lines are drawn. Returns what undoes it.
 */
export function showLineImages(
  line: HTMLElement,
  slices: readonly ImageSlice[],
  { loader, cell }: { loader: ImageLoader; cell: Cell },
): () => void {
  line.classList.add('has-images');
  const drawn = slices.map((slice) => {
    const box = boxOf(slice, cell);
    box.addEventListener('click', () => shownImages.open(loader, [slice.image]));
    return { slice, box };
  });
  line.append(...drawn.map(({ box }) => box));
  const draw = (): void => {
    for (const { slice, box } of drawn)
      if (box.dataset.state !== 'ready') fill(box, slice, { image: loader.look(slice.image), cell });
  };
  const stop = loader.onLoad(draw);
  draw();
  return () => {
    stop();
    for (const { box } of drawn) box.remove();
  };
}

function boxOf(slice: ImageSlice, cell: Cell): HTMLElement {
  const { image, row, first, count } = slice;
  const box = document.createElement('span');
  box.className = 'line-image';
  Object.assign(box.style, { left: `${first * cell.width}px`, width: `${count * cell.width}px` });
  if (row === 0) {
    box.setAttribute('role', 'img');
    box.setAttribute('aria-label', strings.images.name(image.width, image.height));
  } else box.setAttribute('aria-hidden', 'true');
  return box;
}

function fill(box: HTMLElement, slice: ImageSlice, { image, cell }: { image: LoadedImage; cell: Cell }): void {
  box.dataset.state = image.state;
  box.title = image.state === 'leftOut' ? image.why : strings.images.open(slice.image.width, slice.image.height);
  if (image.state === 'ready') box.replaceChildren(canvasOf(slice, image.bitmap, cell));
  if (image.state !== 'leftOut') return;
  const { rows, isLast } = extent(slice, cell);
  box.classList.toggle('is-first', slice.row === 0);
  box.classList.toggle('is-last', isLast || rows === 1);
  box.textContent = saysWhy(slice) ? image.why : '';
}

function extent(slice: ImageSlice, cell: Cell): { rows: number; isLast: boolean } {
  const rows = Math.ceil(shownSize(slice.image, cell).height / cell.height);
  return { rows, isLast: slice.row >= rows - 1 };
}

function canvasOf(slice: ImageSlice, bitmap: ImageBitmap, cell: Cell): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const width = slice.count * cell.width;
  canvas.width = Math.ceil(width * devicePixelRatio);
  canvas.height = Math.ceil(cell.height * devicePixelRatio);
  Object.assign(canvas.style, { width: `${width}px`, height: `${cell.height}px` });
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.scale(canvas.width / width, canvas.height / cell.height);
  drawSlice(context, bitmap, { slice, cell, x: 0, y: 0 });
  return canvas;
}
