/** Effect of a byte on the current sequence. */
export const Reading = 0;
/** The sequence is complete: see `kind`. */
export const Complete = 1;
/** The byte is a control that takes effect inside the sequence, which continues. */
export const Control = 2;
/** The byte is outside: the sequence ended or was abandoned before it. */
export const Outside = 3;
export type ReadResult = 0 | 1 | 2 | 3;

export type SequenceKind = 'esc' | 'csi' | 'osc' | 'other';
type State = 'escape' | 'intermediate' | 'csi' | 'string' | 'stringEscape' | 'stringC2';

const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const BACKSLASH = 0x5c;
const ST = 0x9c;

/** Enough for the parameters of a CSI and for OSC 8 with a link of 2,083 bytes; longer sequences do not affect a line's text. */
const MAX_KEPT_BYTES = 2560;

/**
 * Reads one control sequence byte by byte, with the states of a VT500 parser. Feed it the bytes after the introducer; it
 * keeps those between introducer and final byte or terminator. An unterminated string ends at the next ESC.
 */
export class SequenceReader {
  readonly bytes = new Uint8Array(MAX_KEPT_BYTES);
  length = 0;
  /** True if the sequence was too long to keep. */
  isCut = false;
  kind: SequenceKind = 'esc';
  final = 0;
  #state: State = 'escape';

  /** Call this after ESC. */
  startEscape(): void {
    this.#start('esc', 'escape');
  }

  /** Call this after a C1 control: 0x9B, or one that opens a string. */
  startC1(control: number): void {
    if (control === 0x9b) this.#start('csi', 'csi');
    else this.#start(control === 0x9d ? 'osc' : 'other', 'string');
  }

  take(byte: number): ReadResult {
    switch (this.#state) {
      case 'string':
        return this.#inString(byte);
      case 'stringEscape':
        return this.#afterStringEscape(byte);
      case 'stringC2':
        return this.#afterStringC2(byte);
      default:
        return this.#inSequence(byte);
    }
  }

  #start(kind: SequenceKind, state: State): void {
    this.kind = kind;
    this.#state = state;
    this.length = 0;
    this.isCut = false;
    this.final = 0;
  }

  #keep(byte: number): void {
    if (this.length < MAX_KEPT_BYTES) this.bytes[this.length++] = byte;
    else this.isCut = true;
  }

  #inSequence(byte: number): ReadResult {
    if (byte === ESC) this.startEscape();
    else if (byte === CAN || byte === SUB) return this.#dropped();
    else if (byte < 0x20) return Control;
    else if (byte >= 0x80) return Outside;
    else if (byte !== 0x7f) return this.#state === 'csi' ? this.#inCsi(byte) : this.#inEscape(byte);
    return Reading;
  }

  #inCsi(byte: number): ReadResult {
    if (byte >= 0x40) return this.#complete(byte);
    this.#keep(byte);
    return Reading;
  }

  #inEscape(byte: number): ReadResult {
    if (byte < 0x30) {
      this.#keep(byte);
      this.#state = 'intermediate';
    } else if (this.#state === 'intermediate') return this.#complete(byte);
    else if (byte === 0x5b) this.#start('csi', 'csi');
    else if (byte === 0x5d) this.#start('osc', 'string');
    else if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) this.#start('other', 'string');
    else return this.#complete(byte);
    return Reading;
  }

  #inString(byte: number): ReadResult {
    if (byte === ESC) this.#state = 'stringEscape';
    else if (byte === CAN || byte === SUB) return this.#dropped();
    else if (byte === BEL && this.kind === 'osc') return this.#complete(byte);
    else if (byte === 0xc2) this.#state = 'stringC2';
    else this.#keep(byte);
    return Reading;
  }

  /** ESC always ends the string; a terminator's second byte belongs to it. */
  #afterStringEscape(byte: number): ReadResult {
    if (byte === BACKSLASH) return this.#complete(byte);
    this.startEscape();
    return this.take(byte);
  }

  #afterStringC2(byte: number): ReadResult {
    if (byte === ST) return this.#complete(byte);
    if (byte >= 0x80 && byte <= 0x9f) {
      const control = byte;
      if (control === 0x9b || control === 0x90 || control === 0x98 || control >= 0x9d) {
        this.startC1(control);
        return Reading;
      }
      return this.#dropped();
    }
    this.#keep(0xc2);
    this.#state = 'string';
    return this.take(byte);
  }

  #dropped(): ReadResult {
    this.kind = 'other';
    return Complete;
  }

  #complete(final: number): ReadResult {
    this.final = final;
    return Complete;
  }
}
