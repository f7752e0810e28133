import { type ImageRef, MAX_CARD_PIXEL_BYTES, pixelBytes } from '../../src-main/contract/image.ts';
import { decodeSixel } from '../../src-main/shared/images/decodeSixel.ts';
import { imageSize } from '../../src-main/shared/images/imageSize.ts';
import { readImage, rgbaOf } from './readImage.ts';

/**
 * The picture of an image by the bytes that were printed. undefined when they hold none, or one larger than was said: what is allocated is bounded by
 * `MAX_CARD_PIXEL_BYTES`. Only PNG, JPEG, GIF (its first picture), sixel and plain pixels are decoded.
 */
export async function decodeImage(bytes: Uint8Array, ref: ImageRef): Promise<ImageBitmap | undefined> {
  const source = readImage(bytes);
  switch (source?.kind) {
    case 'sixel': {
      const pixels = decodeSixel(source.data, MAX_CARD_PIXEL_BYTES);
      return pixels && createImageBitmap(new ImageData(pixels.rgba, pixels.width, pixels.height));
    }
    case 'file': {
      const size = imageSize(source.bytes);
      if (!size || pixelBytes(size) > MAX_CARD_PIXEL_BYTES) return undefined;
      return createImageBitmap(new Blob([source.bytes], { type: `image/${size.format}` }));
    }
    case 'pixels': {
      const wanted = ref.width * ref.height * source.bytesEach;
      if (pixelBytes(ref) > MAX_CARD_PIXEL_BYTES) return undefined;
      const plain = source.isDeflated ? await inflate(source.bytes, wanted) : source.bytes;
      return createImageBitmap(
        new ImageData(rgbaOf({ bytes: plain, bytesEach: source.bytesEach }, ref), ref.width, ref.height),
      );
    }
  }
  return undefined;
}

/** The first `maxBytes` of a zlib stream: a small one may hold gigabytes. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  const plain = new Uint8Array(maxBytes);
  for (let at = 0; at < maxBytes; ) {
    const { done, value } = await reader.read();
    if (done) break;
    const piece = value.subarray(0, maxBytes - at);
    plain.set(piece, at);
    at += piece.length;
  }
  await reader.cancel().catch(() => undefined); // what is behind the pixels is of no use
  return plain;
}
