import { charWidth } from './charWidth.ts';

const ZWJ = '\u200d';
/** UTF-16 units; the longest emoji sequences have 20. */
const MAX_JOINED = 64;
const FIRST_REGIONAL = 0x1f1e6;
const LAST_REGIONAL = 0x1f1ff;
/** One-character strings for 0x20–0x7E; undefined for controls. */
const ASCII: readonly (string | undefined)[] = Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : undefined,
);
const ENCODER = new TextEncoder();

/**
 * A line that is being overprinted, as columns. Printing beyond the end pads with spaces; erasing inside leaves spaces,
 * erasing to the end shortens the line. Memory grows with the line's length, which the caller bounds.
 */
export class EditLine {
  /** One string per column; '' is the second column of the string before it. */
  #cells: string[] = [];
  #styles: number[] = [];
  /** Zero-width characters before any other. */
  #lead = '';
  #leadStyle = 0;
  #cursor = 0;
  /** UTF-16 units without a column of their own. */
  #attached = 0;

  get cursor(): number {
    return this.#cursor;
  }

  get length(): number {
    return this.#cells.length;
  }

  /** Cost of the line: its columns and the characters attached to them. */
  get weight(): number {
    return this.#cells.length + this.#attached;
  }

  get isEmpty(): boolean {
    return this.#cells.length === 0 && this.#lead === '';
  }

  moveTo(column: number): void {
    this.#cursor = Math.max(0, column);
  }

  /** The character before the cursor; '' at the start. */
  get before(): string {
    return this.#cells[this.#cursor - 1] || (this.#cells[this.#cursor - 2] ?? '');
  }

  put(char: string, codePoint: number, style: number): void {
    const width = charWidth(codePoint);
    if (width === 0 || this.#joins(codePoint)) {
      this.#attach(char, style);
      return;
    }
    this.#padTo(this.#cursor, style);
    this.#unpair(this.#cursor);
    this.#unpair(this.#cursor + width);
    this.#cells[this.#cursor] = char;
    this.#styles[this.#cursor] = style;
    if (width === 2) {
      this.#cells[this.#cursor + 1] = '';
      this.#styles[this.#cursor + 1] = style;
    }
    this.#cursor += width;
  }

  /** Writes printable ASCII from `bytes[from]` on, up to column `limit`; returns the index of the first byte not written. */
  putAscii(bytes: Uint8Array, from: number, { style, limit }: { style: number; limit: number }): number {
    this.#padTo(this.#cursor, style);
    this.#unpair(this.#cursor);
    const cells = this.#cells;
    const styles = this.#styles;
    let column = this.#cursor;
    let i = from;
    for (; i < bytes.length && column < limit; i++) {
      const char = ASCII[bytes[i] as number];
      if (char === undefined) break;
      cells[column] = char;
      styles[column++] = style;
    }
    this.#cursor = column;
    if (cells[column] === '') cells[column] = ' ';
    return i;
  }

  /** Adds a zero-width character to the character before the cursor. */
  #attach(char: string, style: number): void {
    this.#attached += char.length;
    let at = Math.min(this.#cursor, this.#cells.length) - 1;
    if (this.#cells[at] === '') at--;
    if (at >= 0) this.#cells[at] += char;
    else {
      if (this.#lead === '') this.#leadStyle = style;
      this.#lead += char;
    }
  }

  /** True for the second half of a flag, or a character that a zero-width joiner attaches to the one before. */
  #joins(codePoint: number): boolean {
    if (codePoint <= 0xff) return false;
    const { before } = this;
    if (before.length > MAX_JOINED) return false;
    if (before.endsWith(ZWJ)) return true;
    if (codePoint < FIRST_REGIONAL) return false;
    return codePoint <= LAST_REGIONAL && before.length === 2 && isRegional(before.codePointAt(0) ?? 0);
  }

  erase(from: number, to: number, style: number): void {
    if (to >= this.#cells.length) {
      if (from >= this.#cells.length) return;
      this.#unpair(from);
      this.#cells.length = from;
      this.#styles.length = from;
      return;
    }
    this.#unpair(from);
    this.#unpair(to);
    this.#cells.fill(' ', from, to);
    this.#styles.fill(style, from, to);
  }

  clear(): void {
    this.#cells = [];
    this.#styles = [];
    this.#lead = '';
  }

  insert(count: number, style: number): void {
    if (this.#cursor >= this.#cells.length) return;
    this.#unpair(this.#cursor);
    this.#cells.splice(this.#cursor, 0, ...new Array<string>(count).fill(' '));
    this.#styles.splice(this.#cursor, 0, ...new Array<number>(count).fill(style));
  }

  delete(count: number): void {
    this.#unpair(this.#cursor);
    this.#unpair(this.#cursor + count);
    this.#cells.splice(this.#cursor, count);
    this.#styles.splice(this.#cursor, count);
  }

  encode(): Uint8Array {
    return ENCODER.encode(this.#lead + this.#cells.join(''));
  }

  /** Start of each style in the encoded bytes: byte offset, style, byte offset, style, … */
  runs(): number[] {
    const runs: number[] = [];
    let bytes = byteLength(this.#lead);
    let last = -1;
    for (let i = 0; i < this.#cells.length; i++) {
      const style = this.#styles[i] as number;
      if (style !== last) runs.push(runs.length === 0 ? 0 : bytes, style);
      last = style;
      bytes += byteLength(this.#cells[i] as string);
    }
    if (runs.length === 0 && bytes > 0) runs.push(0, this.#leadStyle);
    return runs;
  }

  #padTo(column: number, style: number): void {
    while (this.#cells.length < column) {
      this.#cells.push(' ');
      this.#styles.push(style);
    }
  }

  /** Replaces both halves of a two-column character by spaces before it is cut at `column`. */
  #unpair(column: number): void {
    if (this.#cells[column] !== '') return;
    this.#cells[column] = ' ';
    this.#cells[column - 1] = ' ';
  }
}

function isRegional(codePoint: number): boolean {
  return codePoint >= FIRST_REGIONAL && codePoint <= LAST_REGIONAL;
}

function byteLength(text: string): number {
  return text.length === 1 && text.charCodeAt(0) < 0x80 ? 1 : Buffer.byteLength(text);
}
