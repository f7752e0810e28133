/** First and last of the ranges that take two columns (Unicode 15, East Asian Width W and F, without emoji). */
const WIDE_RANGES = [
  0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3,
  0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18cff, 0x1b000, 0x1b2ff,
  0x1f200, 0x1f265, 0x20000, 0x3fffd,
];
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const SOFT_HYPHEN = 0xad;
const WIDE_EMOJI = /^\p{Emoji_Presentation}$/u;

/** Widths of the first plane plus one, cached on first use; 0 means unknown. */
const known = new Uint8Array(0x10000);

/**
 * Columns of a character in a terminal: 0, 1 or 2. Only overprinting depends on it: the text of a line that is only
 * appended to is the same for any widths.
 */
export function charWidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x300) return 1;
  if (codePoint > 0xffff) return findWidth(codePoint);
  const cached = known[codePoint] as number;
  if (cached > 0) return (cached - 1) as 0 | 1 | 2;
  const width = findWidth(codePoint);
  known[codePoint] = width + 1;
  return width;
}

function findWidth(codePoint: number): 0 | 1 | 2 {
  const char = String.fromCodePoint(codePoint);
  if (ZERO_WIDTH.test(char) && codePoint !== SOFT_HYPHEN) return 0;
  for (let i = 0; i < WIDE_RANGES.length; i += 2) {
    if (codePoint < (WIDE_RANGES[i] as number)) break;
    if (codePoint <= (WIDE_RANGES[i + 1] as number)) return 2;
  }
  return WIDE_EMOJI.test(char) ? 2 : 1;
}
