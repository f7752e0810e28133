import type { ImageRef } from '../../src-main/contract/image.ts';
import type { BlockRef, BlockRpc } from '../rpc/Rpc.ts';

/** One answer of the core. */
const PAGE_LINES = 2000;

/** All images of a finished card, from the first line to the last. */
export async function imagesOf(rpc: Pick<BlockRpc, 'lines'>, ref: BlockRef): Promise<ImageRef[]> {
  const images = new Map<string, ImageRef>();
  for (let from = 0; ; ) {
    const { lines, total } = await rpc.lines({ ...ref, from, count: PAGE_LINES });
    for (const { image } of lines.flatMap((line) => line.images ?? [])) images.set(`${image.from}-${image.to}`, image);
    from += lines.length;
    if (lines.length === 0 || from >= total) return [...images.values()];
  }
}
