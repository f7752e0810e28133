/**
 * Characters beyond ASCII within an escape sequence, byte by byte. Bytes that are not UTF-8 are dropped, as xterm.js' decoder does.
 */
export class TextInSequence {
  /** As far as it has come, and its continuation bytes still to come. */
  #codePoint = 0;
  #continuations = 0;
  /** The least code point of that length: what is below is an overlong form. */
  #least = 0;

  /** What comes next is no part of the character before. */
  clear(): void {
    this.#continuations = 0;
  }

  /** Takes a byte from 0x80 on; whether a character is whole with it. */
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

/** What xterm.js' decoder lets through of complete UTF-8: no surrogates, byte-order marks or numbers beyond Unicode. */
function isCharacter(codePoint: number): boolean {
  return codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff) && codePoint !== 0xfeff;
}
