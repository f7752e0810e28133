import { BEL, C1_LEAD, CAN, ESC, SUB } from './controlBytes.ts';

/** What a stretch of output is. `broken`: a sequence that something else cut off, or a string too long to keep; nothing acts on it. */
export type TokenKind = 'text' | 'esc' | 'csi' | 'osc' | 'string' | 'broken';

/** A stretch of output that belongs together, from offset `at` of the stream. `bytes` may be a view on the chunk. */
export interface ControlToken {
  kind: TokenKind;
  at: number;
  bytes: Uint8Array;
}

/** Gets a token as the bytes from `from` to before `end` of `bytes`, which are the caller's only as long as the call. */
export type TokenVisitor = (kind: TokenKind, bytes: Uint8Array, from: number, end: number) => void;

const BACKSLASH = 0x5c;
const DEL = 0x7f;
const ST = 0x9c;

/** Of a string so much is kept, as by tmux; a longer one is followed to its end and told as broken. */
const MAX_HELD_BYTES = 1024 * 1024;

type Opened = 'csi' | 'osc' | 'string';

/** What begins with ESC and this byte; with 0xC2 the same bytes stand 0x40 higher. */
const OPENED: Readonly<Record<number, Opened>> = {
  80: 'string',
  88: 'string',
  91: 'csi',
  93: 'osc',
  94: 'string',
  95: 'string',
};

/** Where a token ends; `end` -1 when that has not come yet. */
interface Found {
  kind: TokenKind;
  end: number;
}

/**
 * Cuts terminal output (ECMA-48 in UTF-8) into text and whole sequences, wherever chunks were cut. The tokens in their order are
 * the stream, byte for byte, but for strings over the limit. Text comes at once, a sequence when it has ended. Never throws.
 *
 * `ControlScanner` tells what sequences say; this is for those who pass bytes on and leave some out.
 */
export class ControlTokens {
  /** A sequence that has not ended, from its introducer on. */
  #held: Uint8Array = new Uint8Array(0);
  #isTooLong = false;
  #at = 0;

  /** Bytes at the end of the stream that no token has held so far. */
  get heldBytes(): number {
    return this.#held.length;
  }

  feed(chunk: Uint8Array): ControlToken[] {
    const at = this.#at;
    const tokens: ControlToken[] = [];
    this.scan(chunk, (kind, bytes, from, end) => {
      tokens.push({ kind, at: at + from, bytes: bytes.subarray(from, end) });
    });
    return tokens;
  }

  /** The same tokens without an object for each: coloured output has a million of them in 5 MB. */
  scan(chunk: Uint8Array, visit: TokenVisitor): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    let from = 0;
    /** Inside of a string nothing that was looked at before need be looked at again, but for what may be half an end. */
    const resume = Math.max(2, this.#held.length - 1);
    while (from < bytes.length) {
      const { kind, end } = tokenAt(bytes, from, from === 0 ? resume : from + 2);
      if (end < 0) break;
      visit(this.#isTooLong ? 'broken' : kind, bytes, from, end);
      this.#isTooLong = false;
      from = end;
    }
    this.#at += from;
    this.#hold(bytes.subarray(from));
  }

  #hold(rest: Uint8Array): void {
    if (rest.length <= MAX_HELD_BYTES) {
      if (rest.length + this.#held.length > 0) this.#held = rest.slice();
      return;
    }
    this.#isTooLong = true;
    this.#held = Uint8Array.of(...rest.subarray(0, 2), ...rest.subarray(-1));
    this.#at += rest.length - this.#held.length;
  }
}

/** The token that begins at `from`. `resume`: a string that begins there has no end before it. */
function tokenAt(bytes: Uint8Array, from: number, resume: number): Found {
  const first = bytes[from];
  const second = bytes[from + 1];
  const isLead = first === C1_LEAD && (second === undefined || isC1(second));
  if (first !== ESC && !isLead) return { kind: 'text', end: endOfText(bytes, from) };
  if (second === undefined) return { kind: 'esc', end: -1 };
  const opened = OPENED[first === ESC ? second : second - 0x40];
  if (opened === 'csi') return endOfCsi(bytes, from + 2);
  if (opened) return endOfString(bytes, resume, opened);
  return first === ESC ? endOfEsc(bytes, from + 1) : { kind: 'esc', end: from + 2 };
}

function isC1(byte: number): boolean {
  return byte >= 0x80 && byte <= 0x9f;
}

function isIntroducer(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1];
  return bytes[at] === ESC || (bytes[at] === C1_LEAD && (next === undefined || isC1(next)));
}

function endOfText(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  for (let i = from + 1; i < length; i++) {
    const byte = bytes[i];
    if ((byte === ESC || byte === C1_LEAD) && isIntroducer(bytes, i)) return i;
  }
  return length;
}

/** ESC, any intermediates, a final byte. */
function endOfEsc(bytes: Uint8Array, from: number): Found {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === CAN || byte === SUB) return { kind: 'broken', end: i + 1 };
    if (byte === ESC || byte >= 0x80) return { kind: 'broken', end: i };
    if (byte >= 0x30 && byte !== DEL) return { kind: 'esc', end: i + 1 };
  }
  return { kind: 'esc', end: -1 };
}

function endOfCsi(bytes: Uint8Array, from: number): Found {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === CAN || byte === SUB) return { kind: 'broken', end: i + 1 };
    if (byte === ESC || byte >= 0x80) return { kind: 'broken', end: i };
    if (byte >= 0x40 && byte !== DEL) return { kind: 'csi', end: i + 1 };
  }
  return { kind: 'csi', end: -1 };
}

function endOfString(bytes: Uint8Array, from: number, kind: 'osc' | 'string'): Found {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === BEL && kind === 'osc') return { kind, end: i + 1 };
    if (byte === CAN || byte === SUB) return { kind: 'broken', end: i + 1 };
    if (!isIntroducer(bytes, i)) continue;
    const next = bytes[i + 1];
    if (next === undefined) break;
    const isEnd = next === (byte === ESC ? BACKSLASH : ST);
    return isEnd ? { kind, end: i + 2 } : { kind: 'broken', end: i };
  }
  return { kind, end: -1 };
}
