import type { IBufferLine } from '@xterm/headless';
import { MAX_CARD_PIXEL_BYTES, pixelBytes, sliceText } from '../../contract/image.ts';
import type { ImageLine } from '../../shared/images/imageCore.ts';
import { slicesOf } from '../../shared/images/imageTiles.ts';
import { coreLineOf } from '../../shared/xterm/xtermInternals.ts';

/** Begins a sequence that says what a rendered line shows of an image. */
export const IMAGE = '\x1b_h';

/** What rendered lines show of images. Counts their pixels in the order in which they come, so that a card can draw as many as it may. */
export class RenderedImages {
  readonly #before = new Map<string, number>();
  #bytes = 0;

  /** One sequence for each image in the line. */
  sequences(line: IBufferLine): string {
    return slicesOf(coreLineOf(line) as ImageLine | undefined)
      .map((slice) => {
        const image = { ...slice.image, before: this.#beforeOf(slice.image) };
        return `\x1b_${sliceText({ ...slice, image })}\x1b\\`;
      })
      .join('');
  }

  #beforeOf(image: { from: number; to: number; width: number; height: number }): number {
    const key = `${image.from}-${image.to}`;
    const known = this.#before.get(key);
    if (known !== undefined) return known;
    const before = this.#bytes;
    this.#before.set(key, before);
    // One that is left out takes nothing from those after it.
    if (before + pixelBytes(image) <= MAX_CARD_PIXEL_BYTES) this.#bytes += pixelBytes(image);
    return before;
  }
}
