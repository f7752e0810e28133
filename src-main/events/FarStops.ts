import { BEL, C1_LEAD, ESC } from './controlBytes.ts';

/**
 * The index of the next BEL, ESC or C1 lead in a chunk, found natively (some 100 GB/s against 0.7 in a loop here, but 30 ns per call): each position
 * is searched once and cached until it is passed.
 */
export class FarStops {
  #bel = -1;
  #esc = -1;
  #c1Lead = -1;

  startChunk(): void {
    this.#bel = -1;
    this.#esc = -1;
    this.#c1Lead = -1;
  }

  /** The first of them at `from` or later, or the chunk's length. */
  next(bytes: Uint8Array, from: number): number {
    if (this.#bel < from) this.#bel = indexOrEnd(bytes, BEL, from);
    if (this.#esc < from) this.#esc = indexOrEnd(bytes, ESC, from);
    if (this.#c1Lead < from) this.#c1Lead = indexOrEnd(bytes, C1_LEAD, from);
    return Math.min(this.#bel, this.#esc, this.#c1Lead);
  }
}

function indexOrEnd(bytes: Uint8Array, byte: number, from: number): number {
  const at = Buffer.prototype.indexOf.call(bytes, byte, from);
  return at < 0 ? bytes.length : at;
}
