const LF = 0x0a;

/** A line by its bytes in a piece. */
export interface Place {
  readonly n: number;
  readonly start: number;
  readonly end: number;
}

/** Up to `count` lines right before a line, top to bottom. */
export function linesBefore(bytes: Buffer, { n, start }: Place, count: number): Place[] {
  const places: Place[] = [];
  for (let end = start; end > 0 && places.length < count; ) {
    const from = end === 1 ? 0 : bytes.lastIndexOf(LF, end - 2) + 1;
    places.unshift({ n: n - places.length - 1, start: from, end });
    end = from;
  }
  return places;
}

/** Walks through the lines of a piece and counts them. */
export class LineWalk {
  readonly bytes: Buffer;
  #here: { readonly n: number; readonly start: number };

  constructor(bytes: Buffer, n: number, start = 0) {
    this.bytes = bytes;
    this.#here = { n, start };
  }

  get here(): { readonly n: number; readonly start: number } {
    return this.#here;
  }

  /** Moves to the line with the byte at `at`, which must not be before the current one. */
  skipToByte(at: number): void {
    const { n, start } = this.#here;
    const last = at === 0 ? -1 : this.bytes.lastIndexOf(LF, at - 1);
    if (last >= start) this.#here = { n: n + countLineFeeds(this.bytes, start, last + 1), start: last + 1 };
  }

  /** Moves to line `to`, or after the last one. */
  skipTo(to: number): void {
    const { n, start } = this.#here;
    if (to <= n) return;
    const { length } = this.bytes;
    const isOpen = length > start && this.bytes[length - 1] !== LF;
    const end = n + countLineFeeds(this.bytes, start, length) + (isOpen ? 1 : 0);
    if (end <= to) this.#here = { n: end, start: length };
    else while (this.#here.n < to) this.take();
  }

  take(): Place {
    const { n, start } = this.#here;
    const lf = this.bytes.indexOf(LF, start);
    const end = lf < 0 ? this.bytes.length : lf + 1;
    this.#here = { n: n + 1, start: end };
    return { n, start, end };
  }
}

/** Counts four bytes at a time, so that short lines need no call each and bytes no test each. */
function countLineFeeds(bytes: Buffer, from: number, to: number): number {
  const aligned = from + (-(bytes.byteOffset + from) & 3);
  if (aligned >= to) return countEach(bytes, from, to);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + aligned, (to - aligned) >> 2);
  let count = countEach(bytes, from, aligned) + countEach(bytes, aligned + words.length * 4, to);
  for (let at = 0; at < words.length; at += 1) {
    const others = (words[at] as number) ^ 0x0a0a0a0a; // a byte is 0 for a line feed
    const feeds = ~(((others & 0x7f7f7f7f) + 0x7f7f7f7f) | others | 0x7f7f7f7f);
    if (feeds !== 0) count += Math.imul(feeds >>> 7, 0x01010101) >>> 24;
  }
  return count;
}

function countEach(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (bytes[at] === LF) count += 1;
  return count;
}
