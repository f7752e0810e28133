/**
 * Two rare letters and 128 bits in lower-case hex. The letters keep echo fast: nothing is held back until a `Z` is the
 * last byte of a chunk. As `Z` stands only at the start, a nonce cannot overlap itself.
 */
const NONCE = /^Zj[0-9a-f]{32}$/;
export const NONCE_BYTES = 34;

const FIRST_BYTE = 0x5a; // Z
const MASK_BYTE = 0x30; // 0

/**
 * The longest start of a nonce that `flush` gives away (the two letters and 24 of 128 bits). Honest output reaches this
 * length by chance once in 2^24 `Zj`s; what is longer is the nonce itself, torn by the PTY, and waits for its rest.
 */
const MAX_FLUSHED_BYTES = 8;

/** What everything downstream of the mask sees. */
export interface MaskedChunk {
  /** A view on the fed chunk, or a copy where something was masked or held; valid until the next feed. */
  bytes: Uint8Array;
  /** Where a nonce had stood: offsets of its first byte in the whole masked stream, ascending. */
  nonceAt: number[];
}

/**
 * Overwrites the shell's nonce by as many '0's, so that no record, viewer or agent can ever see it, and says where it stood.
 *
 * What comes out is as long as what went in. At the end of a chunk up to 33 bytes that may be the start of a nonce are held
 * back; call `flush` when nothing has followed for some milliseconds, and `end` when nothing will. Never throws from a feed.
 */
export class NonceMask {
  readonly #nonce: Buffer;
  /** How many bytes of the nonce the stream ends with, all of them held … */
  #held = 0;
  /** … or, after a flush, all of them already given out. */
  #flushed = 0;
  /** Offset of the next byte to be given out. */
  #offset: number;

  /** `startOffset`: where in output.raw the first byte will be. Throws on a nonce of another shape, which would be a bug. */
  constructor(nonce: string, startOffset = 0) {
    if (!NONCE.test(nonce))
      throw new Error(`A nonce is "Zj" and 32 hex digits, not ${nonce.length} characters of something else`);
    this.#nonce = Buffer.from(nonce, 'latin1');
    this.#offset = startOffset;
  }

  /** Bytes held back now, at most 33. */
  get heldBytes(): number {
    return this.#held;
  }

  feed(chunk: Uint8Array): MaskedChunk {
    if (chunk.length === 0) return { bytes: chunk, nonceAt: [] };
    const known = this.#held + this.#flushed;
    const nonceAt: number[] = [];
    let bytes = known === 0 ? chunk : this.#withStart(chunk, known);
    const hidden = this.#flushed;
    bytes = this.#mask(bytes, nonceAt);
    this.#held = this.#startLength(bytes);
    // A start that was flushed and has grown without completing is partly out already: only what is new can be held.
    this.#flushed = this.#held === bytes.length ? Math.min(hidden, this.#held) : 0;
    const out = bytes.subarray(hidden, bytes.length - (this.#held - this.#flushed));
    this.#held -= this.#flushed;
    this.#offset += out.length;
    return { bytes: out, nonceAt };
  }

  /** Gives out what is held, if it is too short to matter. The rest of the nonce would still be masked. */
  flush(): MaskedChunk {
    if (this.#held === 0 || this.#held + this.#flushed > MAX_FLUSHED_BYTES)
      return { bytes: new Uint8Array(0), nonceAt: [] };
    const bytes = new Uint8Array(this.#nonce.subarray(this.#flushed, this.#flushed + this.#held));
    this.#flushed += this.#held;
    this.#held = 0;
    this.#offset += bytes.length;
    return { bytes, nonceAt: [] };
  }

  /** Gives out all that is held: a start of a nonce that is too long to be chance is masked. */
  end(): MaskedChunk {
    const short = this.flush();
    if (this.#held === 0) return short;
    const bytes = new Uint8Array(this.#held).fill(MASK_BYTE);
    this.#held = 0;
    this.#flushed = 0;
    this.#offset += bytes.length;
    return { bytes, nonceAt: [] };
  }

  /** The chunk after the bytes of the nonce that the stream ended with. */
  #withStart(chunk: Uint8Array, known: number): Uint8Array {
    const joined = new Uint8Array(known + chunk.length);
    joined.set(this.#nonce.subarray(0, known), 0);
    joined.set(chunk, known);
    return joined;
  }

  /** The same bytes, or a masked copy; `bytes[0]` stands at `#offset - #flushed` of the stream. */
  #mask(bytes: Uint8Array, nonceAt: number[]): Uint8Array {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = view.indexOf(this.#nonce);
    if (at < 0) return bytes;
    const masked = new Uint8Array(bytes);
    for (; at >= 0; at = view.indexOf(this.#nonce, at + NONCE_BYTES)) {
      masked.fill(MASK_BYTE, at, at + NONCE_BYTES);
      nonceAt.push(this.#offset - this.#flushed + at);
    }
    return masked;
  }

  /** Length of the longest end of `bytes` that a nonce could start with. */
  #startLength(bytes: Uint8Array): number {
    const from = Math.max(0, bytes.length - (NONCE_BYTES - 1));
    const at = bytes.lastIndexOf(FIRST_BYTE);
    if (at < from) return 0;
    for (let i = at; i < bytes.length; i++) if (bytes[i] !== this.#nonce[i - at]) return 0;
    return bytes.length - at;
  }
}
