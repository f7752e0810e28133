/**
 * Some shells, before they draw a prompt, print a mark that shows where output without a final line feed ended, fill the rest
 * of the row with spaces, and go back: SGR bold and inverse, `%` or `#`, SGR off, spaces, CR, as many spaces as the mark is
 * wide, CR. It arrives before the end marker and is no output. With an empty mark only the spaces and two CRs are left.
 * (Seen with columns - 1 spaces; the mark can be changed by the person, and then stays in the text.)
 */
const HEAD = '\x1b[1m\x1b[7m';
const AFTER_MARK = '\x1b[27m\x1b[1m\x1b[0m';
const COMPLETE = /^(?:\x1b\[1m\x1b\[7m[%#]\x1b\[27m\x1b\[1m\x1b\[0m {1,1000}\r \r| {20,1000}\r\r)$/;
/** Pattern from the first space on, regardless of how the spaces are split into chunks. */
const BLANKS_TO_BE = / {1,1000}\r{0,2}$/;
const AFTER_MARK_TO_BE = /^ {0,1000}(?:\r(?: \r?)?)?$/;

/** Head, mark, tail, 1,000 columns of spaces, and CR, space, CR. */
const MAX_BYTES = HEAD.length + 1 + AFTER_MARK.length + 1003;

/** Possible last bytes of incomplete padding; nearly every chunk of output ends with another one. */
const LAST_BYTES = new Set([...`${HEAD}${AFTER_MARK}%# \r`].map((char) => char.charCodeAt(0)));
const LF = 0x0a;
const NOTHING = new Uint8Array(0);

/**
 * Holds back possible padding at the end of a block (at most about 1 KB) and drops it if the block ends there.
 * `feed` returns views of its argument and of held bytes.
 */
export class EndPadding {
  #held: Uint8Array = NOTHING;

  feed(bytes: Uint8Array): Uint8Array[] {
    const last = bytes.at(-1);
    if (last === undefined) return [];
    if (last === LF || !LAST_BYTES.has(last)) return this.#release([bytes]);
    const tail = Buffer.concat([this.#held, bytes.subarray(-MAX_BYTES)]).subarray(-MAX_BYTES);
    const length = paddingStart(tail.toString('latin1'));
    if (length === 0) return this.#release([bytes]);
    const beyond = length - bytes.length;
    const out =
      beyond >= 0 ? [this.#held.subarray(0, this.#held.length - beyond)] : [this.#held, bytes.subarray(0, -length)];
    this.#held = new Uint8Array(tail.subarray(-length));
    return out.filter((piece) => piece.length > 0);
  }

  end(): Uint8Array[] {
    const isPadding = COMPLETE.test(Buffer.from(this.#held).toString('latin1'));
    if (isPadding) this.#held = NOTHING;
    return this.#release([]);
  }

  #release(after: Uint8Array[]): Uint8Array[] {
    const pieces = this.#held.length > 0 ? [this.#held, ...after] : after;
    this.#held = NOTHING;
    return pieces;
  }
}

/** Number of characters at the end of `tail` that are, or may become, padding. */
function paddingStart(tail: string): number {
  const head = tail.lastIndexOf(HEAD);
  if (head >= 0 && isPaddingToBe(tail.slice(head + HEAD.length))) return tail.length - head;
  const blanks = BLANKS_TO_BE.exec(tail)?.[0].length ?? 0;
  if (blanks > 0) return blanks;
  for (let length = HEAD.length - 1; length > 0; length--) if (tail.endsWith(HEAD.slice(0, length))) return length;
  return 0;
}

/** True if `rest`, after the head, may still become padding. */
function isPaddingToBe(rest: string): boolean {
  if (rest === '') return true;
  if (!/^[%#]/.test(rest)) return false;
  const after = rest.slice(1, 1 + AFTER_MARK.length);
  if (after.length < AFTER_MARK.length) return AFTER_MARK.startsWith(after);
  return after === AFTER_MARK && AFTER_MARK_TO_BE.test(rest.slice(1 + AFTER_MARK.length));
}
