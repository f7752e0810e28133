const END_SYNC = '\x1b[?2026l';

/** Where the last synchronized update that ends in `bytes` has ended: from there on one may be open. 0 when none ends in them. */
export function afterLastUpdate(bytes: Uint8Array): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(END_SYNC);
  return at < 0 ? 0 : at + END_SYNC.length;
}
