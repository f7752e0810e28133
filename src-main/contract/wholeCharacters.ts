/** Length of a UTF-8 character with this first byte; 1 for bytes that begin none. */
function utf8Length(lead: number): number {
  if (lead >= 0xf0 && lead < 0xf8) return 4;
  if (lead >= 0xe0) return lead < 0xf0 ? 3 : 1;
  return lead >= 0xc2 ? 2 : 1;
}

/** Number of bytes at the end of `bytes` that belong to an incomplete character: 0 to 3. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return utf8Length(byte) > back ? back : 0;
  }
  return 0;
}

/**
 * Holds back a character that a chunk's end cuts. xterm 6.0.0 loses a character whose second or third byte is 0x80 if it is cut after
 * that byte. They are not rare: U+2013 to U+2026 (dashes, quotation marks, the ellipsis) are all affected.
 */
export class WholeCharacters {
  #held = new Uint8Array(0);

  /** Number of bytes held back: 0 to 3. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /** Returns the bytes that can be parsed: the held ones, then `bytes` without an incomplete character at the end. May be a view of `bytes`. */
  feed(bytes: Uint8Array): Uint8Array {
    let whole = bytes;
    if (this.#held.length > 0) {
      whole = new Uint8Array(this.#held.length + bytes.length);
      whole.set(this.#held);
      whole.set(bytes, this.#held.length);
    }
    const cut = unfinishedBytes(whole);
    this.#held = whole.slice(whole.length - cut);
    return cut === 0 ? whole : whole.subarray(0, whole.length - cut);
  }
}
