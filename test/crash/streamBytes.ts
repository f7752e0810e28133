/** Bytes of a stream that say where they belong: the byte at offset n is 1 + n mod 251, never 0. */
export function streamBytes(from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) bytes[at] = 1 + ((from + at) % 251);
  return bytes;
}
