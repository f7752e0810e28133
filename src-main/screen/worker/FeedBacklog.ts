import { type Batch, concatShared } from './batches.ts';

/** The bytes of one terminal that its worker has not parsed: some wait to be sent, others are sent. */
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

  /** Number of unparsed bytes, without those of a hole. */
  get length(): number {
    return this.end - this.#parsedEnd;
  }

  /** Number of bytes that wait to be sent. */
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

  /** Offset of the next byte. */
  get end(): number {
    return this.#sentEnd + this.#waitingBytes;
  }

  add(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  /** Marks all waiting bytes as sent and returns them as one batch, which may be empty. */
  send(): Batch {
    const batch = { offset: this.#sentEnd, bytes: concatShared(this.#waiting, this.#waitingBytes) };
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#sentEnd += batch.bytes.length;
    if (batch.bytes.length > 0) this.#sent.push(batch);
    return batch;
  }

  /** Skips the bytes up to `offset`, which never came. No bytes may be waiting. */
  skipTo(offset: number): void {
    this.#parsedEnd += offset - this.#sentEnd;
    this.#sentEnd = offset;
  }

  parsedTo(offset: number): void {
    this.#parsedEnd = Math.max(this.#parsedEnd, offset);
    while (this.#sent[0] && this.#sent[0].offset + this.#sent[0].bytes.length <= this.#parsedEnd) this.#sent.shift();
  }

  /** Drops the waiting bytes, as if they had been sent. */
  giveUp(): void {
    this.#sentEnd += this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** The sent batches that begin at `offset` or later. */
  sentSince(offset: number): Batch[] {
    return this.#sent.filter((batch) => batch.offset >= offset);
  }
}
