const SGR_FINAL = 0x6d;
const LEFT_BRACKET = 0x5b;

/**
 * By byte: which CSI sequences with that final and nothing but parameters need not be told. The sink's own table, which it may
 * change at any time; a sequence that comes in two chunks is told all the same.
 */
export type CsiPasses = Uint8Array;
export const PASS = 1;
/** Only those that have a digit above 1 among their parameters: they do not put the cursor home. */
export const PASS_UNLESS_HOME = 2;

/** Passes over SGR, and nothing else. */
export function passSgr(): CsiPasses {
  const passes = new Uint8Array(256);
  passes[SGR_FINAL] = PASS;
  return passes;
}

/** Index after the sequence whose ESC is at `i`, if it is a CSI that may be passed over and all here; else 0. */
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
