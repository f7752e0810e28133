export const BEL = 0x07;
export const CAN = 0x18;
export const SUB = 0x1a;
export const ESC = 0x1b;
/** U+0080–U+009F are `C2 80`–`C2 9F` in UTF-8. The raw bytes 0x80–0x9F are no controls there, as in xterm.js. */
export const C1_LEAD = 0xc2;

/** Bytes that a scanner has to handle, as 1 in a table of all bytes: outside of sequences, and within a string. */
export const GROUND_STOP = stops([BEL, ESC, C1_LEAD]);
export const STRING_STOP = stops([BEL, CAN, SUB, ESC, C1_LEAD]);

function stops(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}

/** Whether `bytes[i]` is 0xC2 and forms a C1 control with the next byte. */
export function isC1(bytes: Uint8Array, i: number): boolean {
  if (bytes[i] !== C1_LEAD || i + 1 === bytes.length) return false;
  const second = bytes[i + 1] as number;
  return second >= 0x80 && second <= 0x9f;
}
