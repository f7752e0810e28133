const SGR_FINAL = 0x6d;
const LEFT_BRACKET = 0x5b;

/**
 * By final byte: which CSI sequences with only parameters need not be reported. The sink owns this table and may change it at any time; a sequence
 * that is split over two chunks is reported anyway.
 */
export type CsiPasses = Uint8Array;
export const PASS = 1;
/** Skips only sequences with a digit above 1 in their parameters: they do not move the cursor home. */
export const PASS_UNLESS_HOME = 2;

/** Skips SGR only. */
export function passSgr(): CsiPasses {
  const passes = new Uint8Array(256);
  passes[SGR_FINAL] = PASS;
  return passes;
}

/** Index after the sequence whose ESC is at `i` if it is a complete CSI that may be skipped; else 0. */
export function endOfPassed(bytes: Uint8Array, i: number, passes: CsiPasses): number {
  if (i + 2 >= bytes.length || bytes[i + 1] !== LEFT_BRACKET) return 0;
  let hasLargeDigit = false;
  for (let j = i + 2; j < bytes.length; j++) {
    const byte = bytes[j] as number;
    if (byte >= 0x30 && byte <= 0x3b) hasLargeDigit ||= byte > 0x31 && byte < 0x3a;
    else {
      const pass = passes[byte] as number;
      return pass === PASS || (pass === PASS_UNLESS_HOME && hasLargeDigit) ? j + 1 : 0;
    }
  }
  return 0;
}
