import { type ImageRef, MAX_CARD_PIXEL_BYTES, MAX_IMAGE_BYTES, pixelBytes } from '../../src-main/contract/image.ts';
import { formatBytes } from '../app/formatWords.ts';
import { strings } from '../app/strings.ts';
import type { BlockRpc, Stop } from '../rpc/Rpc.ts';
import { decodeBase64 } from '../terminal/StreamFeed.ts';

/** Size of one response of the core; in base64 it is far below the 1 MiB of a message. */
const PIECE_BYTES = 512 * 1024;
/** Most images in the queue. An older one is requested again if it is still visible; images of a video are not. */
const MAX_WAITING = 32;
/** Memory for decoded images of one terminal: four full cards. */
const KEPT_PIXEL_BYTES = 4 * MAX_CARD_PIXEL_BYTES;

/** What can be drawn of an image now. `leftOut`: why it is never drawn. */
export type LoadedImage =
  | { state: 'loading' }
  | { state: 'ready'; bitmap: ImageBitmap }
  | { state: 'leftOut'; why: string };

const LOADING: LoadedImage = { state: 'loading' };

/** Reads images of one terminal from the record and decodes each once. Drops images that were not used for long. */
export class ImageLoader {
  readonly #rpc: Pick<BlockRpc, 'imageBytes'>;
  readonly #terminalId: string;
  /** In the order of use, latest last. */
  readonly #images = new Map<string, LoadedImage>();
  readonly #listeners = new Set<() => void>();
  /** Requested images, read one after another. */
  readonly #waiting: [key: string, ref: ImageRef][] = [];
  #isLoading = false;
  #isDisposed = false;

  constructor(terminalId: string, rpc: Pick<BlockRpc, 'imageBytes'>) {
    this.#terminalId = terminalId;
    this.#rpc = rpc;
  }

  /** Returns the image, and requests it at the first call. */
  look(ref: ImageRef): LoadedImage {
    const why = whyLeftOut(ref);
    if (why !== null) return { state: 'leftOut', why };
    const key = `${ref.from}-${ref.to}`;
    const known = this.#images.get(key) ?? LOADING;
    if (!this.#images.has(key)) this.#wait(key, ref);
    this.#images.delete(key);
    this.#images.set(key, known);
    void this.#loadAll();
    return known;
  }

  /** Calls `listen` when a requested image is loaded. */
  onLoad(listen: () => void): Stop {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listeners.clear();
    for (const image of this.#images.values()) if (image.state === 'ready') image.bitmap.close();
    this.#images.clear();
  }

  #wait(key: string, ref: ImageRef): void {
    this.#waiting.push([key, ref]);
    if (this.#waiting.length <= MAX_WAITING) return;
    const [oldest] = this.#waiting.shift() ?? [];
    if (oldest !== undefined) this.#images.delete(oldest);
  }

  /** Loads the newest request first. */
  async #loadAll(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    for (let next = this.#waiting.pop(); next && !this.#isDisposed; next = this.#waiting.pop()) {
      const [key, ref] = next;
      this.#put(key, await this.#load(ref));
    }
    this.#isLoading = false;
  }

  async #load(ref: ImageRef): Promise<LoadedImage> {
    try {
      const bytes = await this.#read(ref);
      const { decodeImage } = await import('./decodeImage.ts');
      const bitmap = await decodeImage(bytes, ref);
      if (bitmap) return { state: 'ready', bitmap };
    } catch {
      // the record cannot be read, or the data is damaged: the placeholder says so
    }
    return { state: 'leftOut', why: strings.images.unreadable };
  }

  async #read({ from, to }: ImageRef): Promise<Uint8Array> {
    const bytes = new Uint8Array(to - from);
    for (let at = from; at < to; at += PIECE_BYTES) {
      const range = { from: at, to: Math.min(to, at + PIECE_BYTES) };
      const { base64 } = await this.#rpc.imageBytes({ terminalId: this.#terminalId, ...range });
      bytes.set(decodeBase64(base64), at - from);
    }
    return bytes;
  }

  #put(key: string, image: LoadedImage): void {
    this.#images.set(key, image);
    let kept = 0;
    for (const [other, { bitmap }] of [...this.#images].reverse().flatMap(readyOnly)) {
      kept += pixelBytes(bitmap);
      if (kept <= KEPT_PIXEL_BYTES || other === key) continue;
      bitmap.close();
      this.#images.delete(other);
    }
    for (const listen of this.#listeners) listen();
  }
}

type Ready = Extract<LoadedImage, { state: 'ready' }>;

function readyOnly([key, image]: [string, LoadedImage]): [string, Ready][] {
  return image.state === 'ready' ? [[key, image]] : [];
}

/** Text about an image over a limit; null for all others. */
export function whyLeftOut(ref: ImageRef): string | null {
  const pixels = pixelBytes(ref);
  if (pixels > MAX_CARD_PIXEL_BYTES)
    return strings.images.leftOut(formatBytes(pixels), formatBytes(MAX_CARD_PIXEL_BYTES));
  if (ref.before + pixels > MAX_CARD_PIXEL_BYTES)
    return strings.images.leftOutOfCard(formatBytes(ref.before + pixels), formatBytes(MAX_CARD_PIXEL_BYTES));
  const bytes = ref.to - ref.from;
  if (bytes > MAX_IMAGE_BYTES) return strings.images.tooLong(formatBytes(bytes), formatBytes(MAX_IMAGE_BYTES));
  return null;
}
