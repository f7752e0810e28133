import type { IBufferLine } from '@xterm/headless';
import { sliceText } from '../../contract/image.ts';
import type { ImageLine } from '../../shared/images/imageCore.ts';
import { slicesOf } from '../../shared/images/imageTiles.ts';
import { PixelsBefore } from '../../shared/images/PixelsBefore.ts';
import { coreLineOf } from '../../shared/xterm/xtermInternals.ts';

/** Begins a sequence that says what a rendered line shows of an image. */
export const IMAGE = '\x1b_h';

/** What rendered lines show of images, with what is before each of them, so that a card can draw as many as it may. */
export class RenderedImages {
  readonly #before = new PixelsBefore();

  /** One sequence for each image in the line. */
  sequences(line: IBufferLine): string {
    return slicesOf(coreLineOf(line) as ImageLine | undefined)
      .map((slice) => {
        const image = { ...slice.image, before: this.#before.of(slice.image) };
        return `\x1b_${sliceText({ ...slice, image })}\x1b\\`;
      })
      .join('');
  }
}
