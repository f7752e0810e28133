const END_SYNC = '\x1b[?2026l';

/** Offset after the last synchronized update that ends in `bytes`; another one may be open from there on. 0 if none ends in them. */
export function afterLastUpdate(bytes: Uint8Array): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(END_SYNC);
  return at < 0 ? 0 : at + END_SYNC.length;
}
