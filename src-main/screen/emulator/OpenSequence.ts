import { MAX_IMAGE_BYTES } from '../../contract/image.ts';

/** Bytes to keep of an open sequence. A longer one is a string of which only the beginning is needed … */
const MAX_KEPT_BYTES = 4096;
const ESC = 0x1b;

/**
 * Remembers the beginning of the escape sequence that the parser is in, so that another parser can be brought to the same
 * state. Gets every chunk after it was parsed. Chunks contain whole characters.
 */
export class OpenSequence {
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** `isGround`: after `chunk` the parser is between sequences. `isImage`: … but an image is kept whole, because all of it determines its size. */
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

  /** Text that brings a parser from between sequences to this state; '' if no sequence is open. */
  get text(): string {
    const decoder = new TextDecoder();
    return this.#pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  }

  #clear(): void {
    if (this.#length > 0) this.#pieces = [];
    this.#length = 0;
  }
}

/** The parser executes a control character inside a sequence at once; it is not part of the sequence and must not run twice. */
function isOfSequence(byte: number): boolean {
  return byte >= 0x20 || byte === ESC;
}

/** Offset of the last byte that always begins a sequence, or -1: ESC, or a C1 control as UTF-8 (0xC2 0x80–0x9F). */
function lastIntroducer(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at >= 0; at--) {
    const byte = chunk[at] ?? 0;
    if (byte === ESC) return at;
    if (byte === 0xc2 && (chunk[at + 1] ?? 0) < 0xa0) return at;
  }
  return -1;
}
