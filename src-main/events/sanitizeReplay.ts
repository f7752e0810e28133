import { WholeCharacters } from '../contract/wholeCharacters.ts';
import { type ControlToken, ControlTokens } from './ControlTokens.ts';
import { isKittyImage, isQuery, oscBody } from './queries.ts';

const NUL = 0x00;
const ENQ = 0x05;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const DEL = 0x7f;
const NOTHING = new Uint8Array(0);

/** Bytes that are safe to show again, and how many were dropped at either end. */
export interface Replay {
  bytes: Uint8Array;
  droppedHead: number;
  droppedTail: number;
}

/**
 * Makes the end of a recording safe to show as is, for viewers that cannot be given a screen state: it begins and ends between sequences and
 * characters, nothing is overprinted (a CR alone becomes LF), the alternate screen is left out, and queries and clipboard writes are removed. Styles,
 * links and titles stay.
 * `before`: bytes directly before `tail`, as many as exist; they show in the middle of which sequence `tail` begins. Never use this for live bytes.
 */
export function sanitizeReplay(tail: Uint8Array, before: Uint8Array = NOTHING): Replay {
  const tokens = new ControlTokens();
  let isAlt = false;
  for (const token of tokens.feed(before)) isAlt = altAfter(token) ?? isAlt;
  const kept: Uint8Array[] = [];
  let [start, end] = [-1, 0];
  for (const token of tokens.feed(tail)) {
    const wasAlt = isAlt;
    isAlt = altAfter(token) ?? isAlt;
    const isOfTail = token.at >= before.length;
    const clean = !isOfTail || wasAlt || isAlt ? NOTHING : cleaned(token);
    const shown = start < 0 ? clean.subarray(unsafeBytes(clean)) : clean;
    if (shown.length === 0) continue;
    if (start < 0) start = token.at - before.length + clean.length - shown.length;
    end = token.at - before.length + clean.length;
    kept.push(shown);
  }
  if (start < 0) return { bytes: NOTHING, droppedHead: tail.length, droppedTail: 0 };
  return { bytes: Buffer.concat(kept), droppedHead: start, droppedTail: tail.length - end };
}

/** The part of the token that may be shown again; for text, its start up to a cut character, with all offsets unchanged. */
function cleaned(token: ControlToken): Uint8Array {
  if (token.kind === 'text') return cleanText(token.bytes);
  const isClipboard = token.kind === 'osc' && oscBody(token.bytes).startsWith('52;');
  const isAnswered = isQuery(token) || isKittyImage(token);
  return token.kind === 'broken' || isClipboard || altAfter(token) !== null || isAnswered ? NOTHING : token.bytes;
}

/** A character that is cut off at the end would merge with later bytes; ENQ requests an answerback. */
function cleanText(bytes: Uint8Array): Uint8Array {
  const text = Uint8Array.from(wholeCharacters(bytes));
  for (let i = 0; i < text.length; i++) {
    if (text[i] === CR && text[i + 1] !== LF) text[i] = LF;
    else if (text[i] === ENQ) text[i] = NUL;
  }
  return text;
}

function wholeCharacters(bytes: Uint8Array): Uint8Array {
  const whole = new WholeCharacters().feed(bytes);
  return whole.length === bytes.length ? bytes : wholeCharacters(whole); // another cut character may precede the removed one
}

/** Number of bytes at the start that show nothing on their own, or are the rest of a character. */
function unsafeBytes(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte === LF || byte === ESC || (byte >= 0x20 && byte < DEL) || byte >= 0xc2);
  return at < 0 ? bytes.length : at;
}

const ALT_SWITCH = /^(?:\x1b\[|\xc2\x9b)\?(?:[0-9]+;)*(?:47|1047|1049)(?:;[0-9]+)*([hl])$/;

/** Whether the alternate screen is shown after the token; null if the token does not change it. */
function altAfter({ kind, bytes }: ControlToken): boolean | null {
  if (kind === 'esc') return bytes.length === 2 && bytes[0] === ESC && bytes[1] === 0x63 ? false : null;
  if (kind !== 'csi' || bytes.length > 64) return null;
  const final = ALT_SWITCH.exec(String.fromCharCode(...bytes))?.[1];
  return final === undefined ? null : final === 'h';
}
