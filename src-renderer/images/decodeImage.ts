import { type ImageRef, MAX_CARD_PIXEL_BYTES, pixelBytes } from '../../src-main/contract/image.ts';
import { decodeSixel } from '../../src-main/shared/images/decodeSixel.ts';
import { imageSize } from '../../src-main/shared/images/imageSize.ts';
import { readImage, rgbaOf } from './readImage.ts';

/**
 * Decodes the printed bytes of an image. undefined if they contain no image, or a larger one than announced: `MAX_CARD_PIXEL_BYTES` limits the
 * memory. Decodes only PNG, JPEG, GIF (its first frame), sixel and plain pixels.
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
  await reader.cancel().catch(() => undefined); // data after the pixels is ignored
  return plain;
}
