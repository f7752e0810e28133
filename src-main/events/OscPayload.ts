/** Real marks, titles, paths and notifications are shorter than this. */
export const MAX_OSC_BYTES = 64 * 1024;
/** 1 MiB of clipboard text as base64, and the bytes before it. */
export const MAX_CLIPBOARD_OSC_BYTES = Math.ceil((1024 * 1024) / 3) * 4 + 64;
const INITIAL_KEPT_BYTES = 512;

/** The kept part of an unfinished OSC string. Grows with the string up to its limit, and shrinks for the next one. */
export class OscPayload {
  #kept = new Uint8Array(INITIAL_KEPT_BYTES);
  #length = 0;
  #isCut = false;

  /** A view, valid until the next `add` or `clear`. */
  get bytes(): Uint8Array {
    return this.#kept.subarray(0, this.#length);
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  clear(): void {
    if (this.#kept.length > MAX_OSC_BYTES) this.#kept = new Uint8Array(INITIAL_KEPT_BYTES);
    this.#length = 0;
    this.#isCut = false;
  }

  /** Keeps `bytes` [from, to) up to the limit. */
  add(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isCut || from === to) return;
    const limit = this.#length + to - from > MAX_OSC_BYTES ? this.#limit(bytes, from) : MAX_OSC_BYTES;
    const room = Math.min(to - from, limit - this.#length);
    this.#isCut = room < to - from;
    const length = this.#length + room;
    if (length > this.#kept.length) this.#grow(Math.min(Math.max(length, this.#kept.length * 2), limit));
    this.#kept.set(bytes.subarray(from, from + room), this.#length);
    this.#length = length;
  }

  #grow(size: number): void {
    const grown = new Uint8Array(size);
    grown.set(this.#kept.subarray(0, this.#length));
    this.#kept = grown;
  }

  /** `52;` may be as long as a clipboard; if the string has just begun, its start is in `bytes`. */
  #limit(bytes: Uint8Array, from: number): number {
    const at = (index: number) => (index < this.#length ? this.#kept[index] : bytes[from + index - this.#length]);
    return at(0) === 0x35 && at(1) === 0x32 && at(2) === 0x3b ? MAX_CLIPBOARD_OSC_BYTES : MAX_OSC_BYTES;
  }
}
