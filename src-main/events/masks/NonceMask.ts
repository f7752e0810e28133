/**
 * Two rare letters and 128 bits in lower-case hex. The letters keep echo fast: bytes are held back only when a `Z` ends a chunk. `Z` is only at the
 * start, so a nonce cannot overlap itself.
 */
const NONCE = /^Zj[0-9a-f]{32}$/;
export const NONCE_BYTES = 34;

const FIRST_BYTE = 0x5a; // Z
const MASK_BYTE = 0x30; // 0

/**
 * The longest start of a nonce that `flush` releases (the two letters and 24 of 128 bits). Ordinary output reaches this length by chance once in 2^24
 * `Zj`s; a longer start is the nonce itself, split by the PTY, and waits for its rest.
 */
const MAX_FLUSHED_BYTES = 8;

/** A chunk as everything after the mask sees it. */
export interface MaskedChunk {
  /** A view on the fed chunk, or a copy if something was masked or held; valid until the next feed. */
  bytes: Uint8Array;
  /** Offsets of the first bytes of masked nonces in the whole masked stream, ascending. */
  nonceAt: number[];
}

/**
 * Overwrites the shell's nonce with as many '0's, so that no record, viewer or agent ever sees it, and reports its offsets.
 * Output is as long as the input. Up to 33 bytes at the end of a chunk that may be the start of a nonce are held back; call `flush` after some
 * milliseconds without a chunk, and `end` when no chunk will follow. `feed` never throws.
 */
export class NonceMask {
  readonly #nonce: Buffer;
  /** Number of bytes of the nonce at the end of the stream that are held … */
  #held = 0;
  /** … or, after a flush, already released. */
  #flushed = 0;
  /** Offset of the next byte to release. */
  #offset: number;

  /** `startOffset`: offset of the first byte in output.raw. Throws for a nonce of another shape, which would be a bug. */
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
    // A flushed start that has grown but is not complete is already released in part: only its new bytes can be held.
    this.#flushed = this.#held === bytes.length ? Math.min(hidden, this.#held) : 0;
    const out = bytes.subarray(hidden, bytes.length - (this.#held - this.#flushed));
    this.#held -= this.#flushed;
    this.#offset += out.length;
    return { bytes: out, nonceAt };
  }

  /** Releases the held bytes if they are too few to matter. The rest of the nonce would still be masked. */
  flush(): MaskedChunk {
    if (this.#held === 0 || this.#held + this.#flushed > MAX_FLUSHED_BYTES)
      return { bytes: new Uint8Array(0), nonceAt: [] };
    const bytes = new Uint8Array(this.#nonce.subarray(this.#flushed, this.#flushed + this.#held));
    this.#flushed += this.#held;
    this.#held = 0;
    this.#offset += bytes.length;
    return { bytes, nonceAt: [] };
  }

  /** Releases all held bytes; masks a start of a nonce that is too long to be chance. */
  end(): MaskedChunk {
    const short = this.flush();
    if (this.#held === 0) return short;
    const bytes = new Uint8Array(this.#held).fill(MASK_BYTE);
    this.#held = 0;
    this.#flushed = 0;
    this.#offset += bytes.length;
    return { bytes, nonceAt: [] };
  }

  /** Prepends the bytes of the nonce that the stream ended with. */
  #withStart(chunk: Uint8Array, known: number): Uint8Array {
    const joined = new Uint8Array(known + chunk.length);
    joined.set(this.#nonce.subarray(0, known), 0);
    joined.set(chunk, known);
    return joined;
  }

  /** The same bytes, or a masked copy; `bytes[0]` is at `#offset - #flushed` of the stream. */
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

  /** Length of the longest end of `bytes` that may be the start of a nonce. */
  #startLength(bytes: Uint8Array): number {
    const from = Math.max(0, bytes.length - (NONCE_BYTES - 1));
    const at = bytes.lastIndexOf(FIRST_BYTE);
    if (at < from) return 0;
    for (let i = at; i < bytes.length; i++) if (bytes[i] !== this.#nonce[i - at]) return 0;
    return bytes.length - at;
  }
}
