/**
 * The last 4 to 8 KiB of a line can be overprinted; a screen's row is shorter. This bounds the memory of an endless line
 * and the work that one short sequence can cause.
 */
export const EDITABLE_BYTES = 4096;
const INITIAL_BYTES = 4096;
/** A buffer that a flood has made larger than this is released when it is empty. */
const MAX_IDLE_BYTES = 256 * 1024;

/** Text that was not taken yet: whole lines, then the held part of the open line. TextLines writes into it. */
export class LineBuffer {
  bytes: Uint8Array = new Uint8Array(INITIAL_BYTES);
  length = 0;
  /** Index of the held part of the open line … */
  openAt = 0;
  /** … and the number of its bytes that were taken before. */
  openTaken = 0;
  /** Number of all bytes taken. */
  taken = 0;
  /** The open line has one byte in each column. */
  isAscii = true;
  /** Number of bytes at the open line's start that can no longer be overprinted. Only increases within a line. */
  #frozen = 0;

  get openBytes(): number {
    return this.openTaken + this.length - this.openAt;
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const wanted = this.length + count;
    if (wanted <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(wanted, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  startLine(): void {
    this.openTaken = 0;
    this.#frozen = 0;
    this.isAscii = true;
  }

  /** Index of the editable end of the open line. Text before it never becomes editable again. */
  editableAt(): number {
    this.#frozen = Math.max(this.#frozen, this.#frozenOf(this.openBytes));
    return this.openAt + this.#frozen - this.openTaken;
  }

  /** Text from index `from` on. */
  textFrom(from: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + from, this.length - from).toString('utf8');
  }

  /** The last character of the open line's editable end; '' if that is empty. */
  get lastEditable(): string {
    const from = this.editableAt();
    if (this.length === from) return '';
    let at = this.length - 1;
    while (at > from && ((this.bytes[at] as number) & 0xc0) === 0x80) at--;
    return this.textFrom(at);
  }

  /** Number of held bytes of the open line that are final; all of them if its end is `edited` elsewhere. */
  beyondEditing(isEdited: boolean): number {
    const frozen = isEdited ? this.openBytes : Math.max(this.#frozen, this.#frozenOf(this.openBytes));
    return Math.max(0, frozen - this.openTaken);
  }

  /** Returns a copy of the whole lines and of `openCount` bytes of the open one. */
  take(openCount: number): Uint8Array {
    const cut = this.openAt + openCount;
    const text = this.bytes.slice(0, cut);
    this.bytes.copyWithin(0, cut, this.length);
    this.length -= cut;
    this.openAt = 0;
    this.openTaken += openCount;
    this.taken += cut;
    if (this.bytes.length > MAX_IDLE_BYTES && this.length <= INITIAL_BYTES)
      this.bytes = this.bytes.slice(0, INITIAL_BYTES);
    return text;
  }

  /** Number of a line's bytes that can no longer be overprinted: a multiple of EDITABLE_BYTES, less an incomplete character. */
  #frozenOf(lineBytes: number): number {
    const whole = (Math.floor(lineBytes / EDITABLE_BYTES) - 1) * EDITABLE_BYTES;
    if (whole <= this.openTaken) return Math.min(this.openTaken, Math.max(whole, 0));
    let at = whole;
    while (at > this.openTaken && ((this.bytes[this.openAt + at - this.openTaken] as number) & 0xc0) === 0x80) at--;
    return at;
  }
}
