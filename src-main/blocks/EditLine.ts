import { charWidth } from './charWidth.ts';

const ZWJ = '\u200d';
const FIRST_REGIONAL = 0x1f1e6;
const LAST_REGIONAL = 0x1f1ff;
const ENCODER = new TextEncoder();

/** Text as bytes, and where in it which style begins: byte offset, style, byte offset, style, … */
export interface EncodedLine {
  bytes: Uint8Array;
  runs: number[];
}

/**
 * A line that is being overprinted, as columns. Printing beyond the end pads with spaces; erasing inside leaves spaces,
 * erasing to the end shortens. Memory follows the line's length, which the caller bounds.
 */
export class EditLine {
  /** One string per column; '' is the second column of what stands before it. */
  #cells: string[] = [];
  #styles: number[] = [];
  /** Zero-width characters before any other. */
  #lead = '';
  #cursor = 0;

  get cursor(): number {
    return this.#cursor;
  }

  get length(): number {
    return this.#cells.length;
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
      this.#attach(char);
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

  /** Adds what stands in no column of its own to the character before the cursor. */
  #attach(char: string): void {
    let at = Math.min(this.#cursor, this.#cells.length) - 1;
    if (this.#cells[at] === '') at--;
    if (at < 0) this.#lead += char;
    else this.#cells[at] += char;
  }

  /** The second half of a flag, or what a zero-width joiner ties to the character before. */
  #joins(codePoint: number): boolean {
    if (codePoint < FIRST_REGIONAL) return codePoint > 0xff && this.before.endsWith(ZWJ);
    const before = this.before;
    if (before.endsWith(ZWJ)) return true;
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

  encode(): EncodedLine {
    const runs: number[] = [];
    let bytes = byteLength(this.#lead);
    let last = -1;
    for (let i = 0; i < this.#cells.length; i++) {
      const style = this.#styles[i] as number;
      if (style !== last) runs.push(runs.length === 0 ? 0 : bytes, style);
      last = style;
      bytes += byteLength(this.#cells[i] as string);
    }
    return { bytes: ENCODER.encode(this.#lead + this.#cells.join('')), runs };
  }

  #padTo(column: number, style: number): void {
    while (this.#cells.length < column) {
      this.#cells.push(' ');
      this.#styles.push(style);
    }
  }

  /** Half of a two-column character that is about to be cut at `column` leaves a space on each side. */
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
