import { type ByteRange, MAX_CARD_PIXEL_BYTES, pixelBytes } from '../../contract/image.ts';

/** Counts the pixels of images in the order of their appearance, for a card's limit. An image that exceeds it does not count. */
export class PixelsBefore {
  readonly #before = new Map<string, number>();
  #bytes = 0;

  /** Bytes of pixels of the images before this one; equal for all of its lines. */
  of(image: ByteRange & { width: number; height: number }): number {
    const key = `${image.from}-${image.to}`;
    const known = this.#before.get(key);
    if (known !== undefined) return known;
    const before = this.#bytes;
    this.#before.set(key, before);
    if (before + pixelBytes(image) <= MAX_CARD_PIXEL_BYTES) this.#bytes += pixelBytes(image);
    return before;
  }
}
