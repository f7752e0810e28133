const REPLACEMENT = 0xfffd;

/**
 * Decodes UTF-8 cut at any byte, with U+FFFD exactly where TextDecoder (WHATWG, "maximal subpart") has it. Keeps at
 * most three bytes of an incomplete character, as numbers.
 */
export class Utf8Reader {
  /** Characters that `take` has completed; the caller empties it. */
  readonly found: number[] = [];
  #codePoint = 0;
  #missing = 0;
  /** Range of the next byte: narrower after E0, ED, F0 and F4, so that overlong forms and surrogates fail at once. */
  #lower = 0x80;
  #upper = 0xbf;

  get isPending(): boolean {
    return this.#missing > 0;
  }

  reset(): void {
    this.#missing = 0;
  }

  /** Reads the byte at `bytes[i]`, or none if it only ends a malformed character; returns the next index. */
  take(bytes: Uint8Array, i: number): number {
    const byte = bytes[i] as number;
    if (this.#missing === 0) {
      this.#start(byte);
      return i + 1;
    }
    if (byte < this.#lower || byte > this.#upper) {
      this.#missing = 0;
      this.found.push(REPLACEMENT);
      return i;
    }
    this.#lower = 0x80;
    this.#upper = 0xbf;
    this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
    if (--this.#missing === 0) this.found.push(this.#codePoint);
    return i + 1;
  }

  #start(byte: number): void {
    this.#missing =
      byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 && byte <= 0xf4 ? 3 : 0;
    if (this.#missing === 0) {
      this.found.push(byte < 0x80 ? byte : REPLACEMENT);
      return;
    }
    this.#codePoint = byte & (0x3f >> this.#missing);
    this.#lower = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#upper = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }

  /** Index after the contiguous valid characters above U+009F that start at `from`; may be `from` itself. */
  endOfValid(bytes: Uint8Array, from: number): number {
    let i = from;
    for (;;) {
      const length = characterLength(bytes, i);
      if (length === 0) return i;
      i += length;
    }
  }
}

/** Length in bytes of the character above U+009F at `i`; 0 if there is none or it is incomplete. */
export function characterLength(bytes: Uint8Array, i: number): number {
  const left = bytes.length - i;
  if (left < 2) return 0;
  const b0 = bytes[i] as number;
  const b1 = bytes[i + 1] as number;
  if (b0 < 0xc2 || b0 > 0xf4 || (b1 & 0xc0) !== 0x80) return 0;
  if (b0 < 0xe0) return b0 === 0xc2 && b1 < 0xa0 ? 0 : 2;
  if (left < 3 || ((bytes[i + 2] as number) & 0xc0) !== 0x80) return 0;
  if (b0 < 0xf0) return (b0 === 0xe0 && b1 < 0xa0) || (b0 === 0xed && b1 > 0x9f) ? 0 : 3;
  if (left < 4 || ((bytes[i + 3] as number) & 0xc0) !== 0x80) return 0;
  return (b0 === 0xf0 && b1 < 0x90) || (b0 === 0xf4 && b1 > 0x8f) ? 0 : 4;
}
