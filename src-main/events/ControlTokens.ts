import { BEL, C1_LEAD, CAN, ESC, SUB } from './controlBytes.ts';

/** The kind of a token. `broken`: a sequence that was cut off, or a string too long to keep; nothing acts on it. */
export type TokenKind = 'text' | 'esc' | 'csi' | 'osc' | 'string' | 'broken';

/** One token of output, from offset `at` of the stream. `bytes` may be a view on the chunk. */
export interface ControlToken {
  kind: TokenKind;
  at: number;
  bytes: Uint8Array;
}

/** Receives a token as the bytes [from, end) of `bytes`, which are valid during the call only. */
export type TokenVisitor = (kind: TokenKind, bytes: Uint8Array, from: number, end: number) => void;

const BACKSLASH = 0x5c;
const DEL = 0x7f;
const ST = 0x9c;

/** Limit of a kept string, as in tmux; a longer one is scanned to its end and reported as broken. */
const MAX_HELD_BYTES = 1024 * 1024;

type Opened = 'csi' | 'osc' | 'string';

/** The kind of sequence that begins with ESC and this byte; after 0xC2 the same bytes are 0x40 higher. */
const OPENED: Readonly<Record<number, Opened>> = {
  80: 'string',
  88: 'string',
  91: 'csi',
  93: 'osc',
  94: 'string',
  95: 'string',
};

/** The end of a token; `end` is -1 if it has not arrived yet. */
interface Found {
  kind: TokenKind;
  end: number;
}

/**
 * Cuts terminal output (ECMA-48 in UTF-8) into text and whole sequences, wherever chunks were cut. The tokens in order are the stream, byte for byte,
 * except for strings over the limit. Text is reported at once, a sequence when it has ended. Never throws.
 * `ControlScanner` interprets sequences; this class is for code that passes bytes on and leaves some out.
 */
export class ControlTokens {
  /** An unfinished sequence, from its introducer. */
  #held: Uint8Array = new Uint8Array(0);
  #isTooLong = false;
  #at = 0;

  /** Number of bytes at the end of the stream that are in no token yet. */
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

  /** The same tokens without an object for each: 5 MB of coloured output have a million of them. */
  scan(chunk: Uint8Array, visit: TokenVisitor): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    let from = 0;
    /** Bytes of a string that were scanned before need no second scan, except for a possible half of its end. */
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

/** Finds the token that begins at `from`. `resume`: a string that begins there has no end before this index. */
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
