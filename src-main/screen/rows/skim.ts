const [TAB, LF, CR, ESC] = [0x09, 0x0a, 0x0d, 0x1b];
const [ZERO, SEMICOLON, SGR_FINAL] = [0x30, 0x3b, 0x6d];

/** The part of bytes that must be parsed when their beginning would scroll out of the scrollback anyway. */
export interface Skimmed {
  /** SGR sequences of the skipped part; to be parsed first. */
  looks: Uint8Array;
  /** Line feeds that bring the cursor to the last row, so that the rest scrolls as it would have. */
  lineFeeds: number;
  /** Offset in the bytes at which parsing starts. */
  from: number;
  /** All of the bytes are plain text, up to a sequence cut off at their end, so that nothing in them waits for an answer. */
  isPlain: boolean;
}

/**
 * Finds how much of the beginning of `bytes` can be skipped because at least `rows + scrollbackLines` lines of plain text
 * follow, which push all of it out of the emulator. Lines may contain printable text, tabs, CR and SGR sequences; anything else
 * ends the plain part. The rest begins after a CR LF, so its column does not depend on the skipped part.
 *
 * The emulator must be between sequences, in the normal buffer, without scroll region, link or unusual modes (see `#canSkim`).
 * undefined if nothing can be skipped.
 */
export function skim(bytes: Uint8Array, rows: number, scrollbackLines: number): Skimmed | undefined {
  const end = plainEnd(bytes);
  if (end === 0) return undefined; // lastIndexOf would take -1 for the last byte
  const keep = rows + scrollbackLines;
  let lines = 0;
  let from = -1;
  for (let at = bytes.lastIndexOf(LF, end - 1); at > 0; at = bytes.lastIndexOf(LF, at - 1)) {
    if (lines >= keep && bytes[at - 1] === CR) {
      from = at + 1;
      break;
    }
    lines += 1;
  }
  // skips at least `rows` lines: only then is the cursor in the last row, where every line feed scrolls
  if (from < 0 || !hasLines(bytes.subarray(0, from), rows)) return undefined;
  return { looks: looksIn(bytes.subarray(0, from)), lineFeeds: rows, from, isPlain: isCut(bytes.subarray(end)) };
}

function hasLines(bytes: Uint8Array, count: number): boolean {
  let at = -1;
  for (let lines = 0; lines < count; lines++) {
    at = bytes.indexOf(LF, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Offset of the first byte that is not plain text: printable characters, tabs, CR, LF and SGR. */
export function plainEnd(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x20 && byte < 0x7f) at += 1;
    else if (byte === LF || byte === CR || byte === TAB) at += 1;
    else if (byte === ESC) {
      const next = sgrEnd(bytes, at);
      if (next < 0) return at;
      at = next;
    } else if (byte >= 0x80 && !isC1(bytes, at)) at += 1;
    else return at;
  }
  return at;
}

/** 0xC2 with a byte below 0xA0, or at the end of the bytes, is or may become a C1 control. */
function isC1(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xc2 && (bytes[at + 1] ?? 0) < 0xa0;
}

/** Offset after the SGR sequence at `at`, or -1 if it is another sequence or incomplete. */
function sgrEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return -1;
  for (let end = at + 2; end < bytes.length; end++) {
    const byte = bytes[end] ?? 0;
    if (byte === 0x6d) return end + 1;
    if (byte < 0x30 || byte > 0x3b) return -1;
  }
  return -1;
}

/** The bytes are empty, or the beginning of an SGR sequence. */
function isCut(bytes: Uint8Array): boolean {
  return bytes.length === 0 || (bytes[0] === ESC && (bytes.length === 1 || isOpenCsi(bytes)));
}

function isOpenCsi(bytes: Uint8Array): boolean {
  return bytes[1] === 0x5b && bytes.subarray(2).every((byte) => byte >= 0x30 && byte <= 0x3b);
}

/** The first parameter of an SGR sequence is 0 or absent. */
function resetsFirst(sequence: Uint8Array): boolean {
  const after = sequence[2] === ZERO ? sequence[3] : sequence[2];
  return after === SEMICOLON || after === SGR_FINAL;
}

/** The SGR sequences of plain text since the last full reset, joined. */
function looksIn(bytes: Uint8Array): Uint8Array {
  let parts: Uint8Array[] = [];
  for (let at = bytes.lastIndexOf(ESC); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(ESC, at - 1)) {
    const sequence = bytes.subarray(at, sgrEnd(bytes, at));
    parts.push(sequence);
    if (resetsFirst(sequence)) break;
  }
  parts = parts.reverse();
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let to = 0;
  for (const part of parts) {
    joined.set(part, to);
    to += part.length;
  }
  return joined;
}
