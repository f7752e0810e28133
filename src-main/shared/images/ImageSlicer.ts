import type { ByteRange } from '../../contract/image.ts';

/**
 * A slice of output. `range` starts where its sequence began, or the slice if it belongs to none, and ends where the slice does: after the
 * terminator's ESC, if a string ends there.
 */
export interface OutputSlice {
  bytes: Uint8Array;
  range: ByteRange;
}

/** Position in a chunk, and a function that ends a slice before its byte `end`. */
interface Place {
  at: number;
  offset: number;
  slice(end: number): void;
}

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const BACKSLASH = 0x5c;
const DCS = 0x50;
const OSC = 0x5d;
const APC = 0x5f;
/** Prefix of the part of a state that has the start of an open image. */
const FROM = '\x1b_hf;';
/** Start of an image's sequence after ESC; a DCS may have parameters of any length before sixel's `q`. */
const OSC_BEGIN = ']1337;';
const APC_BEGIN = '_G';

/**
 * Cuts output before and after each sequence that may contain an image, regardless of chunks. The emulator gets one slice after the other,
 * so its handlers know the range of their bytes: that of the current slice.
 */
export class ImageSlicer {
  /** Characters after ESC that match the start of an image's sequence so far; null outside of one. */
  #begun: string | null = null;
  #isInside = false;
  #isOsc = false;
  #hasEscape = false;
  #from = 0;
  /** Offset of the last ESC inside a sequence. */
  #escapeAt = 0;

  /** True while a sequence that may contain an image is open. */
  get isInside(): boolean {
    return this.#isInside;
  }

  /** Number of sequences so far that may contain an image. */
  found = 0;

  /** The slices are views of `bytes` and cover it; `offset` is the first byte's. */
  cut(bytes: Uint8Array, offset: number): OutputSlice[] {
    if (!this.#isInside && this.#begun === null && bytes.indexOf(ESC) < 0)
      return [{ bytes, range: { from: offset, to: offset + bytes.length } }];
    const slices: OutputSlice[] = [];
    let start = 0;
    const slice = (end: number): void => {
      if (end <= start) return;
      const from = this.#isInside ? this.#from : offset + start;
      slices.push({ bytes: bytes.subarray(start, end), range: { from, to: offset + end } });
      start = end;
    };
    for (let at = 0; at < bytes.length; ) {
      const found = { at, offset, slice };
      at = this.#isInside ? this.#inside(bytes, found) : this.#outside(bytes, found);
    }
    slice(bytes.length);
    return slices;
  }

  /** Start of an open or possible image sequence, for `resume`; '' outside of one. */
  get state(): string {
    return this.#isInside || this.#begun !== null ? `${FROM}${this.#from}\x1b\\` : '';
  }

  /** Continues after another emulator's state, which begins with its slicer's `state` and ends with the open sequence. */
  resume(state: string): void {
    this.#leave();
    const at = state.lastIndexOf(FROM);
    const from = /^(\d+)\x1b\\/.exec(state.slice(at + FROM.length, at + FROM.length + 20))?.[1];
    if (at < 0 || from === undefined) return;
    this.cut(new TextEncoder().encode(state.slice(at)), 0);
    this.#from = Number(from);
  }

  #outside(bytes: Uint8Array, { at, offset, slice }: Place): number {
    if (this.#begun === null) {
      let next = bytes.indexOf(ESC, at);
      while (next >= 0 && !mayBegin(bytes, next)) next = bytes.indexOf(ESC, next + 1);
      if (next < 0) return bytes.length;
      this.#begun = '';
      this.#from = offset + next;
      slice(next);
      return next + 1;
    }
    const byte = bytes[at] as number;
    if (byte === ESC) {
      this.#begun = null;
      return at;
    }
    const begun = this.#begun + String.fromCharCode(byte);
    const isDcs = /^P[\d;]{0,40}q?$/.test(begun);
    this.#begun = isDcs || OSC_BEGIN.startsWith(begun) || APC_BEGIN.startsWith(begun) ? begun : null;
    if (begun === OSC_BEGIN || begun === APC_BEGIN || (isDcs && begun.endsWith('q'))) {
      this.#isInside = true;
      this.#isOsc = begun === OSC_BEGIN;
      this.#begun = null;
      this.#hasEscape = false;
      this.found += 1;
    }
    return at + 1;
  }

  #inside(bytes: Uint8Array, { at: from, offset, slice }: Place): number {
    if (this.#hasEscape) {
      const isEnd = bytes[from] === BACKSLASH;
      this.#leave();
      if (isEnd) return from + 1;
      this.#begun = ''; // the ESC ends this sequence and begins another one
      this.#from = this.#escapeAt;
      return from;
    }
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === ESC) {
        this.#hasEscape = true;
        this.#escapeAt = offset + at;
        slice(at + 1); // ESC always ends a string
        return at + 1;
      }
      if (byte === CAN || byte === SUB || (byte === BEL && this.#isOsc)) {
        slice(at + 1);
        this.#leave();
        return at + 1;
      }
    }
    return bytes.length;
  }

  #leave(): void {
    this.#isInside = false;
    this.#hasEscape = false;
    this.#begun = null;
  }
}

/** Whether an image's sequence may begin with the ESC at `at`, as far as the chunk shows. Skips nearly all others. */
function mayBegin(bytes: Uint8Array, at: number): boolean {
  const opener = bytes[at + 1];
  if (opener === undefined || opener === DCS) return true;
  const begin = opener === OSC ? OSC_BEGIN : opener === APC ? APC_BEGIN : '';
  for (let n = 1; n < begin.length; n += 1) {
    const byte = bytes[at + 1 + n];
    if (byte === undefined) return true;
    if (byte !== begin.charCodeAt(n)) return false;
  }
  return begin !== '';
}
