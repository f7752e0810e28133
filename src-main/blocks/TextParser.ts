import { Complete, Control, Outside, SequenceReader } from './SequenceReader.ts';
import { SgrState } from './SgrState.ts';
import { drawn, firstParam, isPlain } from './sequenceParts.ts';
import { type PieceListener, TextLines } from './TextLines.ts';
import { Utf8Reader } from './Utf8Reader.ts';

const BS = 0x08;
const TAB = 0x09;
const LF = 0x0a;
const VT = 0x0b;
const FF = 0x0c;
const CR = 0x0d;
const SO = 0x0e;
const SI = 0x0f;
const ESC = 0x1b;
const C1_LEAD = 0xc2;
const REPLACEMENT = 0xfffd;

/** Longer links are dropped, as some browsers could not open them; their text stays. */
export const MAX_HREF_CHARS = 2083;

export interface TextParserOptions {
  /** Columns of the screen at the block's begin, which limit cursor movements to the right. */
  cols: number;
  /** Receives lines with their styles. `onStyle` gets the current style and returns its number. */
  listener?: PieceListener;
  onStyle?: (sgr: SgrState, href: string) => number;
  /** Receives the text of string sequences (DCS, SOS, PM, APC) of at most 2.5 KiB. */
  onString?: (text: string) => void;
}

/**
 * Converts bytes of terminal output to lines of plain text: removes controls, C1 and sequences, resolves movements along a
 * line as overprinting, and replaces malformed UTF-8 by U+FFFD like TextDecoder. Ignores text on the alternate screen and
 * movements off the line: a block with these is rendered from the screen instead.
 */
export class TextParser {
  readonly lines: TextLines;
  readonly #options: TextParserOptions;
  readonly #sequence = new SequenceReader();
  readonly #utf8 = new Utf8Reader();
  readonly #sgr = new SgrState();
  #isInSequence = false;
  #isAlt = false;
  #href = '';
  /** G0 and G1 hold line drawing; SO has chosen G1. */
  #drawing: [boolean, boolean] = [false, false];
  #shift: 0 | 1 = 0;

  constructor(options: TextParserOptions) {
    this.#options = options;
    this.lines = new TextLines(options.cols, options.listener ?? null);
  }

  /** Passes the current style to `onStyle` again, after that has forgotten all numbers. */
  restyle(): void {
    const { onStyle } = this.#options;
    if (onStyle) this.lines.setStyle(onStyle(this.#sgr, this.#href));
  }

  /** True if `restoreSequence` describes all pending state: reading may start here. */
  get isAtRest(): boolean {
    return !this.#isInSequence && !this.#isAlt && !this.#utf8.isPending;
  }

  /** Bytes that bring a fresh parser into this one's state at the start of a line: attributes, link, charsets. */
  get restoreSequence(): string {
    const charsets = `${this.#drawing[0] ? '\x1b(0' : ''}${this.#drawing[1] ? '\x1b)0' : ''}${this.#shift === 1 ? '\x0e' : ''}`;
    const link = this.#href === '' ? '' : `\x1b]8;;${this.#href}\x1b\\`;
    return this.#sgr.toSequence() + link + charsets;
  }

  /**
   * Reads `bytes` from `from` on; returns where it stopped: at the end, or after the LF of a line whose number is a multiple of
   * `stopEvery` (a power of two).
   */
  read(bytes: Uint8Array, from: number, stopEvery: number): number {
    let i = from;
    while (i < bytes.length) {
      const lines = this.lines.lines;
      if (this.#isInSequence) i = this.#readSequence(bytes, i);
      else if (this.#utf8.isPending) i = this.#readCharacter(bytes, i);
      else if (this.#isAlt) i = this.#skipAlt(bytes, i);
      else i = this.#readText(bytes, i, stopEvery);
      if (this.lines.lines !== lines && this.lines.lines % stopEvery === 0) return i;
    }
    return i;
  }

  /** Call this after the last byte. */
  end(): void {
    if (this.#utf8.isPending && !this.#isAlt) this.lines.put(REPLACEMENT);
    this.#utf8.reset();
    this.#isInSequence = false;
  }

  #readText(bytes: Uint8Array, from: number, stopEvery: number): number {
    const isDrawing = this.#drawing[this.#shift] ?? false;
    const i = isDrawing ? from : this.lines.plain(bytes, from, stopEvery);
    if (i > from || i === bytes.length) return i;
    const byte = bytes[i] as number;
    if (byte >= 0x80) return this.#readCharacter(bytes, i);
    if (byte === ESC) return this.#readEscape(bytes, i);
    if (byte >= 0x20 && byte < 0x7f) this.lines.put(isDrawing ? drawn(byte) : byte);
    else this.#control(byte);
    return i + 1;
  }

  /** `bytes[i]` is ESC. A complete CSI with only parameters, by far the most frequent sequence, is processed at once. */
  #readEscape(bytes: Uint8Array, i: number): number {
    let j = i + 2;
    if (bytes[i + 1] === 0x5b)
      while (j < bytes.length && (bytes[j] as number) >= 0x30 && (bytes[j] as number) <= 0x3b) j++;
    if (j < bytes.length && bytes[i + 1] === 0x5b && (bytes[j] as number) >= 0x40 && (bytes[j] as number) < 0x7f) {
      this.#performCsi(bytes, { from: i + 2, to: j, final: bytes[j] as number });
      return j + 1;
    }
    this.#sequence.startEscape();
    this.#isInSequence = true;
    return i + 1;
  }

  #readSequence(bytes: Uint8Array, from: number): number {
    let i = from;
    while (i < bytes.length) {
      const byte = bytes[i] as number;
      const result = this.#sequence.take(byte);
      if (result === Outside) {
        this.#isInSequence = false;
        return i;
      }
      i++;
      if (result === Complete) {
        this.#isInSequence = false;
        this.#perform();
        return i;
      }
      if (result === Control) {
        this.#control(byte);
        if (byte === LF || byte === VT || byte === FF) return i;
      }
    }
    return i;
  }

  /** Reads characters outside ASCII, including C1 controls. */
  #readCharacter(bytes: Uint8Array, from: number): number {
    const i = this.#utf8.isPending ? from : this.#copyCharacters(bytes, from);
    if (i > from || i === bytes.length) return i;
    const next = this.#utf8.take(bytes, i);
    for (const codePoint of this.#utf8.found) {
      if (codePoint >= 0x80 && codePoint <= 0x9f) this.#control1(codePoint);
      else if (!this.#isAlt) this.lines.put(codePoint);
    }
    this.#utf8.found.length = 0;
    return next;
  }

  #copyCharacters(bytes: Uint8Array, from: number): number {
    if (this.#isAlt) return from;
    const to = this.#utf8.endOfValid(bytes, from);
    if (to > from) this.lines.characters(bytes, from, to);
    return to;
  }

  #skipAlt(bytes: Uint8Array, from: number): number {
    let i = from;
    while (i < bytes.length && bytes[i] !== ESC && bytes[i] !== C1_LEAD) i++;
    if (i === bytes.length) return i;
    return bytes[i] === ESC ? this.#readEscape(bytes, i) : this.#readCharacter(bytes, i);
  }

  #control(byte: number): void {
    if (byte === SO) this.#shift = 1;
    else if (byte === SI) this.#shift = 0;
    else if (this.#isAlt) return;
    else if (byte === LF || byte === VT || byte === FF) this.lines.newline();
    else if (byte === CR) this.lines.carriageReturn();
    else if (byte === BS) this.lines.backspace();
    else if (byte === TAB) this.lines.tab();
  }

  #control1(control: number): void {
    if (control === 0x9b || control === 0x90 || control === 0x98 || control >= 0x9d) {
      this.#sequence.startC1(control);
      this.#isInSequence = true;
    } else if ((control === 0x84 || control === 0x85) && !this.#isAlt) this.lines.newline();
  }

  #perform(): void {
    const { kind } = this.#sequence;
    if (kind === 'csi') this.#performSlowCsi();
    else if (kind === 'esc') this.#performEsc();
    else if (kind === 'osc') this.#performOsc();
    else if (!this.#sequence.isCut) this.#options.onString?.(latin1(this.#sequence));
  }

  #performEsc(): void {
    const { final, length, bytes } = this.#sequence;
    if (length === 1 && (bytes[0] === 0x28 || bytes[0] === 0x29))
      this.#drawing[bytes[0] === 0x28 ? 0 : 1] = final === 0x30;
    else if (length > 0) return;
    else if (final === 0x63) this.#reset();
    else if ((final === 0x44 || final === 0x45) && !this.#isAlt) this.lines.newline();
  }

  /** RIS. */
  #reset(): void {
    this.#sgr.reset();
    this.#href = '';
    this.#drawing = [false, false];
    this.#shift = 0;
    this.#isAlt = false;
    this.restyle();
  }

  #performOsc(): void {
    const { bytes, length, isCut } = this.#sequence;
    if (bytes[0] !== 0x38 || bytes[1] !== 0x3b) return;
    const at = bytes.indexOf(0x3b, 2);
    if (at < 0 || at >= length) return;
    const href = isCut ? '' : Buffer.from(bytes.subarray(at + 1, length)).toString('utf8');
    this.#href = href.length > MAX_HREF_CHARS || /[\u0000-\u0020\u007f-\u009f\ufffd]/.test(href) ? '' : href;
    this.restyle();
  }

  #performSlowCsi(): void {
    const { bytes, length, final } = this.#sequence;
    if (final === 0x68 || final === 0x6c) this.#setModes(final === 0x68);
    else if (isPlain(bytes, length)) this.#performCsi(bytes, { from: 0, to: length, final });
  }

  /** `bytes` from..to are the parameters. */
  #performCsi(bytes: Uint8Array, { from, to, final }: { from: number; to: number; final: number }): void {
    if (final === 0x6d) {
      this.#sgr.take(bytes, from, to);
      this.restyle();
    } else if (!this.#isAlt && IN_LINE.has(final)) this.#move(final, firstParam(bytes, from, to));
  }

  #setModes(on: boolean): void {
    const modes = Buffer.from(this.#sequence.bytes.subarray(0, this.#sequence.length)).toString('latin1');
    if (!/^\?[\d;:]*$/.test(modes)) return;
    if (
      modes
        .slice(1)
        .split(';')
        .some((mode) => ALT_MODES.has(Number.parseInt(mode, 10)))
    )
      this.#isAlt = on;
  }

  /** `n`: the first parameter, 0 if absent. */
  #move(final: number, n: number): void {
    const count = Math.max(1, n);
    const { lines } = this;
    const letter = String.fromCharCode(final);
    if (letter === 'C' || letter === 'a') lines.moveBy(count);
    else if (letter === 'D') lines.moveBy(-count);
    else if (letter === 'G' || letter === '`') lines.moveTo(count - 1);
    else if (letter === 'K') lines.eraseInLine(n);
    else if (letter === 'J' && n === 0) lines.eraseInLine(0);
    else if (letter === 'X') lines.editCharacters('erase', count);
    else if (letter === 'P') lines.editCharacters('delete', count);
    else if (letter === '@') lines.editCharacters('insert', count);
    else if (letter === 'b') lines.repeat(count);
  }
}

/** Final bytes of sequences that move or edit within the line. */
const IN_LINE = new Set([...'CaDG`KJXP@b'].map((final) => final.charCodeAt(0)));
const ALT_MODES = new Set([47, 1047, 1049]);

function latin1({ bytes, length }: SequenceReader): string {
  return Buffer.from(bytes.subarray(0, length)).toString('latin1');
}
