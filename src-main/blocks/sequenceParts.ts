/** DEC Special Graphics, 0x60–0x7E. */
const LINE_DRAWING = '◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·';

/** The character of DEC Special Graphics for a printable ASCII byte. */
export function drawn(byte: number): number {
  return byte < 0x60 ? byte : LINE_DRAWING.charCodeAt(byte - 0x60) || byte;
}

/** True if there are only parameters: no prefix, no intermediates. */
export function isPlain(bytes: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) if ((bytes[i] as number) < 0x30 || (bytes[i] as number) > 0x3b) return false;
  return true;
}

/** The first of the parameters from..to, 0 if absent. */
export function firstParam(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    if (byte > 0x39) break;
    value = Math.min(value * 10 + byte - 0x30, 0xffff);
  }
  return value;
}
