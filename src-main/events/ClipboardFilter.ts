import { BEL, C1_LEAD, CAN, ESC, SUB } from './controlBytes.ts';

const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
const ST_C1 = 0x9c;
const OSC_C1 = 0x9d;
const CLIPBOARD = 52;
/** Real OSCs have shorter numbers. A longer one is removed like the clipboard's, so that leading zeros hide nothing. */
const MAX_DIGITS = 16;

type Place = 'text' | 'escape' | 'lead' | 'number' | 'clipboard' | 'clipboardEscape' | 'clipboardLead';

/**
 * Removes OSC 52 (read or write the clipboard) from a terminal's bytes, for bytes that will be sent to another terminal. Chunks may split anywhere;
 * at most 19 bytes are held back, which `end` returns.
 */
export class ClipboardFilter {
  #place: Place = 'text';
  /** The start of a sequence that may be OSC 52. */
  #held: number[] = [];
  #number = 0;
  #digits = 0;

  /** Returns a view on `bytes` if nothing was removed. */
  feed(bytes: Uint8Array): Uint8Array {
    if (this.#place === 'text' && !bytes.includes(ESC) && !bytes.includes(C1_LEAD)) return bytes;
    // One more for an ESC that may only have ended a dropped sequence.
    const out = new Uint8Array(bytes.length + this.#held.length + 1);
    let length = 0;
    const give = (byte: number): void => {
      out[length++] = byte;
    };
    for (const byte of bytes) this.#take(byte, give);
    return out.subarray(0, length);
  }

  /** Call when no byte will follow. Returns the held start, which is not a clipboard sequence. */
  end(): Uint8Array {
    const rest = Uint8Array.from(this.#held);
    this.#held = [];
    this.#place = 'text';
    return rest;
  }

  #take(byte: number, give: (byte: number) => void): void {
    switch (this.#place) {
      case 'clipboard':
      case 'clipboardEscape':
      case 'clipboardLead':
        return this.#drop(byte, give);
      case 'number':
        return this.#readNumber(byte, give);
      case 'escape':
      case 'lead': {
        const introduces = this.#place === 'escape' ? RIGHT_BRACKET : OSC_C1;
        if (byte !== introduces) return this.#release(byte, give);
        this.#held.push(byte);
        this.#place = 'number';
        this.#number = 0;
        this.#digits = 0;
        return;
      }
      case 'text':
        return this.#readText(byte, give);
    }
  }

  #readText(byte: number, give: (byte: number) => void): void {
    if (byte !== ESC && byte !== C1_LEAD) return give(byte);
    this.#held = [byte];
    this.#place = byte === ESC ? 'escape' : 'lead';
  }

  #readNumber(byte: number, give: (byte: number) => void): void {
    const digit = byte - 0x30;
    const isDigit = digit >= 0 && digit <= 9;
    if (isDigit && this.#digits < MAX_DIGITS) {
      this.#held.push(byte);
      this.#number = this.#number * 10 + digit;
      this.#digits += 1;
    } else if (isDigit || (this.#number === CLIPBOARD && !isEnd(byte))) {
      this.#held = [];
      this.#place = 'clipboard';
      this.#drop(byte, give);
    } else this.#release(byte, give);
  }

  /** The held bytes are not a clipboard sequence; `byte` may start the next one. */
  #release(byte: number, give: (byte: number) => void): void {
    for (const held of this.#held) give(held);
    this.#held = [];
    this.#place = 'text';
    this.#readText(byte, give);
  }

  /** Drops bytes up to and including BEL, ST, CAN or SUB. An ESC of another sequence also ends it, and is kept. */
  #drop(byte: number, give: (byte: number) => void): void {
    if (this.#place === 'clipboardEscape') {
      this.#place = 'text';
      if (byte === BACKSLASH) return;
      this.#held = [ESC];
      this.#place = 'escape';
      this.#take(byte, give);
    } else if (byte === ESC) this.#place = 'clipboardEscape';
    else if (isEnd(byte) || (this.#place === 'clipboardLead' && byte === ST_C1)) this.#place = 'text';
    else this.#place = byte === C1_LEAD ? 'clipboardLead' : 'clipboard';
  }
}

function isEnd(byte: number): boolean {
  return byte === BEL || byte === CAN || byte === SUB;
}
