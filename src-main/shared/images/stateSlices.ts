import { sliceText } from '../../contract/image.ts';
import type { ImageLine } from './imageCore.ts';
import { slicesOf } from './imageTiles.ts';

/** The images of a line, as sequences for a restoring stage: written while the cursor is anywhere in that line. '' for most lines. */
export function stateSlices(line: ImageLine | undefined): string {
  return slicesOf(line)
    .map((slice) => {
      const { owner } = slice.tile;
      return `\x1b_${sliceText(slice)}${owner ? `;${owner.id},${owner.placement}` : ''}\x1b\\`;
    })
    .join('');
}
