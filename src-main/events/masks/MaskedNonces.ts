import { NONCE_BYTES } from './NonceMask.ts';

/** A marker of ours in a record: its nonce is replaced by '0's. */
const MASKED = Buffer.from(`7717;${'0'.repeat(NONCE_BYTES)}`, 'latin1');

/**
 * Finds overwritten nonces in bytes from a record, so that its markers can be read again. They prove nothing, because any program can print '0's, so
 * the content of such a marker is unverified.
 */
export class MaskedNonces {
  #tail = Buffer.alloc(0);
  #offset: number;

  constructor(startOffset = 0) {
    this.#offset = startOffset;
  }

  /** Offsets of the nonces that `bytes` completes; chunks may split anywhere. */
  feed(bytes: Uint8Array): number[] {
    const joined = Buffer.concat([this.#tail, bytes]);
    const joinedAt = this.#offset - this.#tail.length;
    const found: number[] = [];
    for (let at = joined.indexOf(MASKED); at >= 0; at = joined.indexOf(MASKED, at + MASKED.length))
      found.push(joinedAt + at + MASKED.length - NONCE_BYTES);
    this.#offset += bytes.length;
    this.#tail = Buffer.from(joined.subarray(Math.max(0, joined.length - MASKED.length + 1)));
    return found;
  }
}
