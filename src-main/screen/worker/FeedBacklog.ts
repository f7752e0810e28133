import { type Batch, concatShared } from './batches.ts';

/** The bytes of one terminal that its worker has not parsed: first those that wait to be sent, then those on their way. */
export class FeedBacklog {
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #sent: Batch[] = [];
  #sentEnd: number;
  #parsedEnd: number;

  constructor(startOffset: number) {
    this.#sentEnd = startOffset;
    this.#parsedEnd = startOffset;
  }

  /** Bytes that are not parsed, those of a hole left out. */
  get length(): number {
    return this.end - this.#parsedEnd;
  }

  /** Bytes that wait to be sent. */
  get waiting(): number {
    return this.#waitingBytes;
  }

  get isParsing(): boolean {
    return this.#sent.length > 0;
  }

  get parsedEnd(): number {
    return this.#parsedEnd;
  }

  get sentEnd(): number {
    return this.#sentEnd;
  }

  /** The offset of the next byte. */
  get end(): number {
    return this.#sentEnd + this.#waitingBytes;
  }

  add(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  /** All waiting bytes as one batch, which is now on its way. It may be empty. */
  send(): Batch {
    const batch = { offset: this.#sentEnd, bytes: concatShared(this.#waiting, this.#waitingBytes) };
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#sentEnd += batch.bytes.length;
    if (batch.bytes.length > 0) this.#sent.push(batch);
    return batch;
  }

  /** Leaves out the bytes up to `offset`, which never came. Nothing may be waiting. */
  skipTo(offset: number): void {
    this.#parsedEnd += offset - this.#sentEnd;
    this.#sentEnd = offset;
  }

  parsedTo(offset: number): void {
    this.#parsedEnd = Math.max(this.#parsedEnd, offset);
    while (this.#sent[0] && this.#sent[0].offset + this.#sent[0].bytes.length <= this.#parsedEnd) this.#sent.shift();
  }

  /** Drops what waits, as if it had been sent. */
  giveUp(): void {
    this.#sentEnd += this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** The batches on their way that begin at `offset` or later. */
  sentSince(offset: number): Batch[] {
    return this.#sent.filter((batch) => batch.offset >= offset);
  }
}
