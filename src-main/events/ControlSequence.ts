/** The limit of xterm.js; further parameters are dropped. */
const MAX_PARAMS = 32;
const MAX_PARAM_VALUE = 0x7fffffff;

/**
 * One CSI sequence, parsed byte by byte. The scanner reuses its only instance for the next sequence: read it in the callback, keep nothing. The
 * grammar is xterm.js' (VT500 states), so that both see the same sequences.
 */
export class CsiSequence {
  /** Offset of the introducer, and after the final byte. */
  at = 0;
  end = 0;
  /** `?`, `>`, `<`, `=` or 0. */
  prefix = 0;
  /** The last intermediate byte (0x20–0x2F), or 0. */
  intermediate = 0;
  final = 0;
  readonly params = new Int32Array(MAX_PARAMS);
  /** At least 1: a missing parameter is 0. */
  count = 1;

  #phase: 'entry' | 'params' | 'intermediate' | 'ignored' = 'entry';
  #inSub = false;
  #isFull = false;

  start(at: number): void {
    this.at = at;
    this.prefix = 0;
    this.intermediate = 0;
    this.final = 0;
    this.params[0] = 0;
    this.count = 1;
    this.#phase = 'entry';
    this.#inSub = false;
    this.#isFull = false;
  }

  get isIgnored(): boolean {
    return this.#phase === 'ignored';
  }

  param(index: number): number {
    return index < this.count ? (this.params[index] as number) : 0;
  }

  /** Takes a byte in 0x20–0x3F. */
  take(byte: number): void {
    if (this.#phase === 'ignored') return;
    if (byte < 0x30) {
      this.intermediate = byte;
      this.#phase = 'intermediate';
    } else if (this.#phase === 'intermediate') this.#phase = 'ignored';
    else if (byte >= 0x3c) this.#takePrefix(byte);
    else this.#takeParam(byte);
  }

  #takePrefix(byte: number): void {
    if (this.#phase === 'entry') {
      this.prefix = byte;
      this.#phase = 'params';
    } else this.#phase = 'ignored';
  }

  #takeParam(byte: number): void {
    this.#phase = 'params';
    if (byte === 0x3a) this.#inSub = true;
    else if (byte === 0x3b) this.#nextParam();
    else if (!this.#inSub && !this.#isFull) {
      const last = this.count - 1;
      this.params[last] = Math.min((this.params[last] as number) * 10 + byte - 0x30, MAX_PARAM_VALUE);
    }
  }

  #nextParam(): void {
    this.#inSub = false;
    if (this.count === MAX_PARAMS) this.#isFull = true;
    else this.params[this.count++] = 0;
  }
}

/** An OSC string. `payload` is a view and valid during the callback only. */
export interface OscString {
  /** Offset of the introducer; offset after the terminator. */
  at: number;
  end: number;
  payload: Uint8Array;
  /** The string was longer than the limit: `payload` is only its start. */
  isCut: boolean;
}

/** Callbacks of a scanner. Offsets are those of the whole stream; arguments are valid during the call only. */
export interface ControlSink {
  bell(at: number): void;
  /** An escape sequence of two or more bytes that opens nothing; `intermediate` is 0 if it has none. */
  esc(sequence: { at: number; end: number; intermediate: number; final: number }): void;
  /** Every CSI sequence except SGR and those that `passes` skips. */
  csi(sequence: CsiSequence): void;
  osc(string: OscString): void;
  /** An OSC that was aborted by CAN, SUB or another C1 control; `end` is before the aborting byte. */
  oscAbandoned(string: OscString): void;
}
