import { MAX_IMAGE_BYTES } from '../../contract/image.ts';

/** How much of an open sequence is kept. A longer one is a string of which only the beginning is needed … */
const MAX_KEPT_BYTES = 4096;
const ESC = 0x1b;

/**
 * Remembers the beginning of the escape sequence that the parser is in, so that another parser can be brought to the same
 * place. Told every chunk after it was parsed. Chunks hold whole characters.
 */
export class OpenSequence {
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** `isGround`: after `chunk` the parser is between sequences. `isImage`: … but an image's, whose size is known from all of it. */
  track(chunk: Uint8Array, isGround: boolean, isImage: boolean): void {
    if (isGround) return this.#clear();
    const begin = lastIntroducer(chunk);
    if (begin >= 0) this.#clear();
    const room = (isImage ? MAX_IMAGE_BYTES : MAX_KEPT_BYTES) - this.#length;
    if (room <= 0) return;
    const rest = chunk.subarray(Math.max(0, begin)).filter(isOfSequence).subarray(0, room);
    this.#pieces.push(rest);
    this.#length += rest.length;
  }

  /** What to write to a parser between sequences to bring it here; '' when there is no open sequence. */
  get text(): string {
    const decoder = new TextDecoder();
    return this.#pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  }

  #clear(): void {
    if (this.#length > 0) this.#pieces = [];
    this.#length = 0;
  }
}

/** A control character within a sequence is acted on at once and is no part of it: it must not be acted on twice. */
function isOfSequence(byte: number): boolean {
  return byte >= 0x20 || byte === ESC;
}

/** Offset of the last byte that begins a sequence whatever came before, or -1: ESC, or a C1 control as UTF-8 (0xC2 0x80–0x9F). */
function lastIntroducer(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at >= 0; at--) {
    const byte = chunk[at] ?? 0;
    if (byte === ESC) return at;
    if (byte === 0xc2 && (chunk[at + 1] ?? 0) < 0xa0) return at;
  }
  return -1;
}
