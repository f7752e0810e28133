/** A program's way to draw its lines. */
export type Drawing =
  | 'repaint' // alternate screen: draws everything each time
  | 'scrollUp' // alternate screen: CSI S in a region
  | 'regionFeed' // alternate screen: line feeds at the bottom of a region that begins below a head row
  | 'feed' // normal screen: erases the box, prints lines, draws the box again
  | 'insert' // normal screen: line feeds in a region from the top to the box
  | 'redraw' // normal screen: erases its last rows one by one upwards and draws them again with the new lines
  | 'reprint'; // normal screen: erases everything (ED 2, ED 3) and prints it again

export const ALTERNATE: readonly Drawing[] = ['repaint', 'scrollUp', 'regionFeed'];
export const NORMAL: readonly Drawing[] = ['feed', 'insert', 'redraw', 'reprint'];

/** Rows of the input box at the bottom of the screen. */
export const BOX_ROWS = 3;
/** Number of rows that `redraw` prints again. */
const LIVE_ROWS = 4;
const HEAD = '= tabs =';

/**
 * A program that prints lines above an input box. Each call returns the printed bytes; `said` has all lines. Lines are shorter than
 * the width of the screen.
 */
export class DrawnAgent {
  readonly said: string[] = [];
  readonly #drawing: Drawing;
  #rows: number;
  /** Number of lines that the person has scrolled back. */
  #back = 0;
  #drawn = 0;

  constructor(drawing: Drawing, rows: number) {
    this.#drawing = drawing;
    this.#rows = rows;
  }

  get isAlternate(): boolean {
    return ALTERNATE.includes(this.#drawing);
  }

  /** Number of rows for said lines. */
  get bodyRows(): number {
    return this.#rows - BOX_ROWS - this.#headRows;
  }

  get #headRows(): number {
    return this.#drawing === 'regionFeed' ? 1 : 0;
  }

  start(): string {
    return this.isAlternate ? `\x1b[?1049h${this.#repainted()}` : this.#boxText();
  }

  say(lines: readonly string[]): string {
    const isFull = this.said.length >= this.bodyRows && this.#back === 0;
    this.said.push(...lines);
    this.#back = 0;
    switch (this.#drawing) {
      case 'repaint':
        return this.#repainted();
      case 'scrollUp':
        return isFull && lines.length < this.bodyRows ? this.#scrolledUp(lines) : this.#repainted();
      case 'regionFeed':
        return isFull ? this.#fedInRegion(lines) : this.#repainted();
      case 'insert':
        return this.#inserted(lines);
      case 'redraw':
        return this.#redrawn(lines);
      case 'reprint':
        return this.#reprinted();
      default:
        return `${UP}\x1b[J${lines.map((line) => `${line}\r\n`).join('')}${this.#boxText()}`;
    }
  }

  /** Alternate screen only: scrolls back to earlier text. */
  lookBack(by: number): string {
    this.#back = Math.max(0, Math.min(by, this.said.length - this.bodyRows));
    return this.#drawing === 'scrollUp' && this.#back < this.bodyRows ? this.#scrolledDown() : this.#repainted();
  }

  /** Alternate screen only: scrolls to the end. */
  lookAhead(): string {
    const back = this.#back;
    this.#back = 0;
    const isNear = this.#drawing === 'scrollUp' && back > 0 && back < this.bodyRows;
    return isNear ? this.#scrolledUp(this.said.slice(-back)) : this.#repainted();
  }

  /** Alternate screen only: an overlay covers the conversation. */
  cover(): string {
    const rows = Array.from({ length: this.#rows }, (_, row) => `overlay ${row * 7} of all`);
    return painted(rows);
  }

  uncover(): string {
    this.#back = 0;
    return this.#repainted();
  }

  resized(rows: number): string {
    this.#rows = rows;
    this.#back = 0;
    return this.isAlternate ? this.#repainted() : this.#reprinted();
  }

  #repainted(): string {
    const to = this.said.length - this.#back;
    const shown = this.said.slice(Math.max(0, to - this.bodyRows), to);
    const blank = new Array<string>(this.bodyRows - shown.length).fill('');
    const head = this.#headRows > 0 ? [HEAD] : [];
    return painted([...head, ...shown, ...blank, ...BOX]);
  }

  #scrolledDown(): string {
    const from = this.said.length - this.#back - this.bodyRows;
    const rows = this.said.slice(from, from + this.#back);
    return this.#back === 0 ? '' : `\x1b[1;${this.bodyRows}r\x1b[${this.#back}T\x1b[r${placed(1, rows)}`;
  }

  #scrolledUp(lines: readonly string[]): string {
    const from = this.bodyRows - lines.length;
    return `\x1b[1;${this.bodyRows}r\x1b[${lines.length}S\x1b[r${placed(from + 1, lines)}`;
  }

  #fedInRegion(lines: readonly string[]): string {
    const bottom = this.bodyRows + this.#headRows;
    return `\x1b[2;${bottom}r\x1b[${bottom};1H${lines.map((line) => `\r\n${line}`).join('')}\x1b[r`;
  }

  /** The box moves down row by row to the bottom of the screen. After that, new lines are inserted above it. */
  #inserted(lines: readonly string[]): string {
    return lines
      .map((line) => {
        this.#drawn += 1;
        const bottom = this.#rows - BOX_ROWS;
        if (this.#drawn <= bottom) return `\x1b[${this.#drawn};1H\x1b[J${line}\r\n${this.#boxText()}`;
        return `\x1b[1;${bottom}r\x1b[${bottom};1H\r\n${line}\x1b[r\x1b[${this.#rows};1H`;
      })
      .join('');
  }

  #redrawn(lines: readonly string[]): string {
    const live = Math.min(LIVE_ROWS, this.said.length - lines.length);
    const erased = `\x1b[2K${'\x1b[1A\x1b[2K'.repeat(live + BOX_ROWS - 1)}\x1b[G`;
    const again = this.said.slice(this.said.length - lines.length - live);
    return `${erased}${again.map((line) => `${line}\r\n`).join('')}${this.#boxText()}`;
  }

  #reprinted(): string {
    return `\x1b[2J\x1b[3J\x1b[H${this.said.map((line) => `${line}\r\n`).join('')}${this.#boxText()}`;
  }

  #boxText(): string {
    return BOX.join('\r\n');
  }
}

const BOX = ['--------------------', '> ', '? for shortcuts'];
/** Moves from the last row of the box to the start of its first. */
const UP = `\x1b[${BOX_ROWS - 1}A\r`;

function painted(rows: readonly string[]): string {
  return placed(1, rows);
}

function placed(from: number, rows: readonly string[]): string {
  return rows.map((row, at) => `\x1b[${from + at};1H${row}\x1b[K`).join('');
}
