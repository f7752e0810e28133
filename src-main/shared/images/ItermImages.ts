import type { ByteRange, ImageRef } from '../../contract/image.ts';
import { bytesOfBase64 } from './base64.ts';
import { fitSize, imageAsIs, type Length, readLength } from './fitImage.ts';
import { imageSize, SIZE_BYTES } from './imageSize.ts';

/** Limit of the arguments before the colon; a file's name in base64 is the longest of them. */
const MAX_ARGUMENT_CHARS = 4096;
/** Base64 of the first `SIZE_BYTES` of a file. */
const MAX_HEAD_CHARS = Math.ceil(SIZE_BYTES / 3) * 4;

interface Multipart {
  args: ReadonlyMap<string, string>;
  from: number;
  head: string;
}

/** The screen in px of cells of `CELL_PX`. */
interface ScreenPx {
  width: number;
  height: number;
}

/**
 * iTerm2's inline images, OSC 1337: `File=…:` with a whole file, or `MultipartFile=…` followed by `FilePart=` and `FileEnd`. Takes the relevant
 * start of a sequence's text (`takes`) and returns the image to show. Skips files that are not `inline`, which are downloads.
 */
export class ItermImages {
  #open: Multipart | undefined;

  /** Most relevant characters of a sequence's text. */
  static readonly maxChars = MAX_ARGUMENT_CHARS + MAX_HEAD_CHARS;

  /** The open multipart file. */
  get open(): Multipart | undefined {
    return this.#open;
  }

  restore(text: string): void {
    const [from = '', head = '', ...args] = text.split(';');
    this.#open = { from: Number(from), head, args: readArguments(args.join(';')) };
  }

  take(text: string, range: ByteRange, screen: ScreenPx): ImageRef | undefined {
    const [, name, rest = ''] = /^(File|MultipartFile|FilePart|FileEnd)(?:=(.*))?$/s.exec(text) ?? [];
    switch (name) {
      case 'File': {
        const colon = rest.indexOf(':');
        if (colon < 0) return undefined;
        return place(readArguments(rest.slice(0, colon)), rest.slice(colon + 1), { range, screen });
      }
      case 'MultipartFile':
        this.#open = { args: readArguments(rest), from: range.from, head: '' };
        return undefined;
      case 'FilePart':
        if (this.#open && this.#open.head.length < MAX_HEAD_CHARS) this.#open.head += rest;
        return undefined;
      case 'FileEnd': {
        const open = this.#open;
        this.#open = undefined;
        return open && place(open.args, open.head, { range: { from: open.from, to: range.to }, screen });
      }
    }
    return undefined;
  }

  reset(): void {
    this.#open = undefined;
  }
}

function readArguments(text: string): Map<string, string> {
  const pairs = text.slice(0, MAX_ARGUMENT_CHARS).split(';');
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

function place(
  args: ReadonlyMap<string, string>,
  head: string,
  { range, screen }: { range: ByteRange; screen: ScreenPx },
): ImageRef | undefined {
  if (args.get('inline') !== '1') return undefined;
  const keepsShape = args.get('preserveAspectRatio') !== '0';
  const wanted = { width: readLength(args.get('width')), height: readLength(args.get('height')), keepsShape };
  const size = imageSize(bytesOfBase64(head.slice(0, MAX_HEAD_CHARS))) ?? wholeSize(wanted, screen);
  if (!size) return undefined;
  const shown = fitSize(size, wanted, screen);
  const isStretched = !keepsShape && wanted.width !== undefined && wanted.height !== undefined;
  return {
    ...imageAsIs(range, size),
    shownWidth: shown.width,
    shownHeight: shown.height,
    stretched: isStretched,
  };
}

/** Reserves the place of a file in another format if both sides are given: chafa prints TIFF. */
function wholeSize(wanted: { width: Length; height: Length }, screen: ScreenPx): ScreenPx | undefined {
  if (!wanted.width || !wanted.height) return undefined;
  return fitSize({ width: 1, height: 1 }, { ...wanted, keepsShape: false }, screen);
}
