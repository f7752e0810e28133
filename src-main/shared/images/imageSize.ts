/** Supported formats of image files; other files (above all SVG) are not drawn. */
export type ImageFormat = 'png' | 'jpeg' | 'gif';

export interface ImageSize {
  format: ImageFormat;
  width: number;
  height: number;
}

/** Bytes at the beginning of a file that suffice to find its size: a JPEG has it after previews and colour profiles. */
export const SIZE_BYTES = 192 * 1024;

/** Reads the size in px from the first bytes of an image file; undefined for another format, or too few bytes. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = pngSize(view) ?? gifSize(view) ?? jpegSize(view);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

/** The signature, then the chunk IHDR, which begins with width and height. */
function pngSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined;
  return { format: 'png', width: view.getUint32(16), height: view.getUint32(20) };
}

/** GIF87a or GIF89a, then the screen's size. */
function gifSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 10 || view.getUint32(0) !== 0x47494638) return undefined;
  const version = view.getUint16(4);
  if (version !== 0x3761 && version !== 0x3961) return undefined;
  return { format: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Each segment has its length; a start of frame (C0 to CF except C4, C8 and CC) has the size. */
function jpegSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // padding
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { format: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
