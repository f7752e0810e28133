/** Decodes non-ASCII characters within an escape sequence, byte by byte. Drops bytes that are not UTF-8, as xterm.js' decoder does. */
export class TextInSequence {
  /** The partial code point, and the number of continuation bytes to come. */
  #codePoint = 0;
  #continuations = 0;
  /** The smallest code point of that length; a smaller one is an overlong form. */
  #least = 0;

  /** The next byte does not belong to the previous character. */
  clear(): void {
    this.#continuations = 0;
  }

  /** Takes a byte of 0x80 or above; returns whether it completes a character. */
  completes(byte: number): boolean {
    if ((byte & 0xc0) !== 0x80) {
      this.#continuations = byte >= 0xc2 && byte <= 0xf4 ? (byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3) : 0;
      this.#least = this.#continuations === 3 ? 0x10000 : this.#continuations === 2 ? 0x800 : 0xa0;
      this.#codePoint = byte & (0x3f >> this.#continuations);
      return false;
    }
    if (this.#continuations === 0) return false;
    this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
    return --this.#continuations === 0 && this.#codePoint >= this.#least && isCharacter(this.#codePoint);
  }
}

/** Whether xterm.js' decoder accepts this code point: it drops surrogates, byte-order marks and numbers beyond Unicode. */
function isCharacter(codePoint: number): boolean {
  return codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff) && codePoint !== 0xfeff;
}
