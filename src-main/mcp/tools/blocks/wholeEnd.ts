const ESC = 0x1b;
/** Longer sequences are not detected: a string sequence may continue for megabytes. */
const MAX_SEQUENCE_BYTES = 4096;

/** How many of `bytes` to return so that neither a character nor (`escape`) a sequence is cut; all of them if the result would be none. */
export function wholeEnd(bytes: Uint8Array, align: 'none' | 'utf8' | 'escape'): number {
  if (align === 'none') return bytes.length;
  const character = wholeCharacters(bytes);
  if (align === 'utf8') return character || bytes.length;
  const from = bytes.lastIndexOf(ESC, character - 1);
  const isOpen = from >= 0 && character - from <= MAX_SEQUENCE_BYTES && !isEnded(bytes.subarray(from, character));
  return (isOpen ? from : character) || bytes.length;
}

function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** ECMA-48: CSI ends with 0x40–0x7E, strings end with BEL or ST, an escape sequence ends with its first byte from 0x30. */
function isEnded(sequence: Uint8Array): boolean {
  const kind = sequence[1];
  if (kind === undefined) return false;
  const rest = sequence.subarray(2);
  if (kind === 0x5b) return rest.some((byte) => byte >= 0x40 && byte <= 0x7e);
  if (kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f) return rest.includes(0x07);
  return kind >= 0x30 || rest.some((byte) => byte >= 0x30);
}
