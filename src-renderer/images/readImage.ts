import type { ImageRef } from '../../src-main/contract/image.ts';
import { bytesOfBase64 } from '../../src-main/shared/images/base64.ts';
import { type KittyKeys, readKeys } from '../../src-main/shared/images/KittyGraphics.ts';

/** What the sequences of an image hold, not decoded yet. */
export type ImageSource =
  | { kind: 'sixel'; data: Uint8Array }
  | { kind: 'file'; bytes: Uint8Array<ArrayBuffer> }
  /** Rows of RGB (3 bytes) or RGBA (4 bytes) pixels. */
  | { kind: 'pixels'; bytesEach: 3 | 4; isDeflated: boolean; bytes: Uint8Array<ArrayBuffer> };

const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;

/**
 * The image in the range of output.raw that an `ImageRef` names; undefined if it has none, for example after damage. Skips other output in the range.
 */
export function readImage(bytes: Uint8Array): ImageSource | undefined {
  const texts = stringsIn(bytes);
  for (const [at, body] of texts.entries()) {
    const start = latin1(body.subarray(0, 64));
    const sixel = /^P[\d;]*q/.exec(start);
    if (sixel) return { kind: 'sixel', data: body.subarray(sixel[0].length) };
    if (start.startsWith('_G')) return kittyImage(texts.slice(at));
    if (/^\]1337;(?:Multipart)?File=/.test(start)) return itermImage(texts.slice(at));
  }
  return undefined;
}

/** The string sequences in output, without ESC and terminator. */
function stringsIn(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = bytes.indexOf(ESC); at >= 0; ) {
    const opener = bytes[at + 1];
    const isString = opener === 0x50 || opener === 0x5d || opener === 0x5f; // P ] _
    const isOsc = opener === 0x5d;
    let end = at + 1;
    while (end < bytes.length && bytes[end] !== ESC && !(isOsc && bytes[end] === BEL)) end += 1;
    if (isString) found.push(bytes.subarray(at + 1, end));
    at = bytes[end] === ESC && bytes[end + 1] !== BACKSLASH ? end : bytes.indexOf(ESC, end + 1);
  }
  return found;
}

function itermImage(texts: readonly Uint8Array[]): ImageSource {
  const [first = new Uint8Array(0), ...rest] = texts;
  const text = latin1(first);
  if (text.startsWith(']1337;File=')) return fileOf(text.slice(text.indexOf(':') + 1));
  const parts = rest.map(latin1).filter((part) => part.startsWith(']1337;FilePart='));
  return fileOf(parts.map((part) => part.slice(part.indexOf('=') + 1)).join(''));
}

function kittyImage(texts: readonly Uint8Array[]): ImageSource | undefined {
  const commands = texts.map(latin1).filter((text) => text.startsWith('_G'));
  let keys: KittyKeys | undefined;
  let payload = '';
  for (const command of commands) {
    const [control = '', data = ''] = command.slice(2).split(';');
    const own = readKeys(control);
    keys ??= own;
    payload += data;
    if (own.get('m') !== '1') break;
  }
  if (keys?.get('f') === '100') return fileOf(payload);
  const bytesEach = keys?.get('f') === '24' ? 3 : 4;
  return { kind: 'pixels', bytesEach, isDeflated: keys?.get('o') === 'z', bytes: ownBytes(payload) };
}

function fileOf(base64: string): ImageSource {
  return { kind: 'file', bytes: ownBytes(base64) };
}

function ownBytes(base64: string): Uint8Array<ArrayBuffer> {
  return bytesOfBase64(base64) as Uint8Array<ArrayBuffer>;
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** RGBA pixels of an image of that size; pixels that are missing are transparent, those over it are left out. */
export function rgbaOf(
  { bytes, bytesEach }: { bytes: Uint8Array; bytesEach: 3 | 4 },
  { width, height }: Pick<ImageRef, 'width' | 'height'>,
): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(width * height * 4);
  if (bytesEach === 4) {
    rgba.set(bytes.subarray(0, rgba.length));
    return rgba;
  }
  const pixels = Math.min(width * height, Math.floor(bytes.length / 3));
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    rgba[pixel * 4] = bytes[pixel * 3] ?? 0;
    rgba[pixel * 4 + 1] = bytes[pixel * 3 + 1] ?? 0;
    rgba[pixel * 4 + 2] = bytes[pixel * 3 + 2] ?? 0;
    rgba[pixel * 4 + 3] = 255;
  }
  return rgba;
}
