import type { IBufferLine } from '@xterm/headless';
import { sliceText } from '../../contract/image.ts';
import type { ImageLine } from '../../shared/images/imageCore.ts';
import { slicesOf } from '../../shared/images/imageTiles.ts';
import { PixelsBefore } from '../../shared/images/PixelsBefore.ts';
import { coreLineOf } from '../../shared/xterm/xtermInternals.ts';

/** Begins a sequence for the image in a rendered line. */
export const IMAGE = '\x1b_h';

/** The images in rendered lines, each with the pixels before it, so that a card can limit how much it draws. */
export class RenderedImages {
  readonly #before = new PixelsBefore();

  /** Returns one sequence per image in the line. */
  sequences(line: IBufferLine): string {
    return slicesOf(coreLineOf(line) as ImageLine | undefined)
      .map((slice) => {
        const image = { ...slice.image, before: this.#before.of(slice.image) };
        return `\x1b_${sliceText({ ...slice, image })}\x1b\\`;
      })
      .join('');
  }
}
