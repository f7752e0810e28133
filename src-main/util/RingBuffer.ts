/**
 * The last `capacity` bytes of a stream, addressed by their offset in the whole stream.
 * Memory grows with use (doubling) up to the capacity, so an idle terminal costs little.
 */
export class RingBuffer {
  readonly #capacity: number;
  #bytes: Uint8Array;
  /** Stream offset after the newest byte. */
  #end: number;
  /** Stream offset of the oldest kept byte. */
  #start: number;

  constructor(capacity: number, startOffset = 0, initialBytes = 4096) {
    this.#capacity = capacity;
    this.#bytes = new Uint8Array(Math.min(capacity, initialBytes));
    this.#start = startOffset;
    this.#end = startOffset;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  append(chunk: Uint8Array): void {
    this.#grow(this.#end - this.#start + chunk.length);
    const size = this.#bytes.length;
    const kept = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
    const from = this.#end + (chunk.length - kept.length);
    const at = from % size;
    const first = Math.min(kept.length, size - at);
    this.#bytes.set(kept.subarray(0, first), at);
    this.#bytes.set(kept.subarray(first), 0);
    this.#end += chunk.length;
    this.#start = Math.max(this.#start, this.#end - size);
  }

  /** Copies at most `maxBytes` bytes from stream offset `from`; undefined if `from` is not kept. */
  read(from: number, maxBytes: number): Uint8Array | undefined {
    if (from < this.#start || from > this.#end) return undefined;
    const length = Math.min(maxBytes, this.#end - from);
    const copy = new Uint8Array(length);
    const at = from % this.#bytes.length;
    const first = Math.min(length, this.#bytes.length - at);
    copy.set(this.#bytes.subarray(at, at + first), 0);
    copy.set(this.#bytes.subarray(0, length - first), first);
    return copy;
  }

  #grow(wanted: number): void {
    let size = this.#bytes.length;
    if (wanted <= size || size === this.#capacity) return;
    while (size < wanted && size < this.#capacity) size = Math.min(size * 2, this.#capacity);
    const held = this.read(this.#start, this.#end - this.#start) ?? new Uint8Array(0);
    this.#bytes = new Uint8Array(size);
    const end = this.#end;
    this.#end = this.#start;
    const at = this.#start % size;
    const first = Math.min(held.length, size - at);
    this.#bytes.set(held.subarray(0, first), at);
    this.#bytes.set(held.subarray(first), 0);
    this.#end = end;
  }
}
