import { scratchCell } from '../../shared/xterm/xtermInternals.ts';
import { lookKey, sgrOf } from '../rows/cellLook.ts';
import { readRuns } from '../rows/readRow.ts';
import { IMAGE, RenderedImages } from './RenderedImages.ts';
import { ScreenModel, type ScreenSize } from './ScreenModel.ts';

/** One logical line of a block as it was displayed. */
export interface RenderedLine {
  text: string;
  /** The text with SGR sequences; starts and ends with default attributes. Sequences for the line's images follow (`sliceText`). */
  sgr: string;
}

/** Parameters to display a block again. Offsets count from the block's first byte, ascending. */
export interface RenderSpec extends ScreenSize {
  /** Row of the cursor when the block began, 0 at the top; the rows above belong to other blocks and are left out. */
  startRow: number;
  resizes: readonly ({ offset: number } & ScreenSize)[];
}

/** Rows above the screen before they are collected as lines. Bounds the memory of rendering for blocks of any size. */
const SCROLLBACK_ROWS = 2000;
/** Maximum length of a logical line, because a block may contain 100 MB without a line break. */
const MAX_LINE_CHARS = 1024 * 1024;
const SLICE_BYTES = 16 * 1024;

/**
 * Replays a block's bytes on its own emulator and returns the lines that a person saw: the lines that scrolled off, with soft wraps
 * joined, then the last screen. A block that only used the alternate screen returns the last picture of that screen.
 */
export class BlockRenderer {
  readonly #model: ScreenModel;
  readonly #resizes: RenderSpec['resizes'];
  readonly #startRow: number;
  #nextResize = 0;
  #offset = 0;
  #lines: RenderedLine[] = [];
  #open: RenderedLine | undefined;
  #lastAlt: RenderedLine[] = [];
  #hasText = false;
  /** Empty lines that wait until another line follows them. */
  #blanks = 0;
  readonly #images = new RenderedImages();

  constructor({ cols, rows, startRow, resizes }: RenderSpec) {
    this.#model = new ScreenModel({ cols, rows, scrollbackLines: SCROLLBACK_ROWS });
    this.#model.isReplaying = true;
    this.#resizes = resizes;
    this.#startRow = Math.max(0, Math.min(startRow, rows - 1));
    this.#model.write(new TextEncoder().encode('\n'.repeat(this.#startRow)));
    this.#model.write(new Uint8Array(0), 0); // from here on, bytes count from the block's start
    this.#listen();
  }

  /** Takes the next bytes; returns the lines that are final now. */
  feed(bytes: Uint8Array): RenderedLine[] {
    for (let at = 0; at < bytes.length; ) {
      const resize = this.#resizes[this.#nextResize];
      const untilResize = resize ? Math.max(0, resize.offset - this.#offset) : Number.POSITIVE_INFINITY;
      if (resize && untilResize === 0) {
        this.#collectScrolledOff();
        this.#model.resize(resize);
        this.#nextResize += 1;
        continue;
      }
      const slice = bytes.subarray(at, at + Math.min(SLICE_BYTES, untilResize));
      this.#model.write(slice);
      this.#collectScrolledOff();
      at += slice.length;
      this.#offset += slice.length;
    }
    return this.#take();
  }

  /** Returns the lines still on the screen. No bytes may follow. */
  end(): RenderedLine[] {
    const { normal, alternate, active } = this.#model.terminal.buffer;
    if (active === alternate) this.#lastAlt = this.#readAlt();
    this.#collectRows(normal.length);
    this.#closeLine();
    if (!this.#hasText) {
      this.#blanks = this.#startRow; // the alternate screen's content begins at its first row
      for (const line of this.#lastAlt) this.#push(line);
    }
    return this.#take();
  }

  dispose(): void {
    this.#model.dispose();
  }

  #take(): RenderedLine[] {
    return this.#lines.splice(0);
  }

  #listen(): void {
    const { terminal } = this.#model;
    // A short slice can scroll any number of rows (REP); collect them before the emulator drops them.
    terminal.onScroll(() => {
      const { active, normal } = terminal.buffer;
      if (active === normal && normal.baseY >= SCROLLBACK_ROWS - 1) this.#collectScrolledOff();
    });
    terminal.parser.registerCsiHandler({ final: 'J' }, (params) => {
      if (params[0] === 3) this.#collectScrolledOff();
      return false;
    });
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.#collectScrolledOff();
      return false;
    });
    this.#model.leaving.onDropping((row) => {
      this.#collectScrolledOff();
      this.#readRows(terminal.buffer.normal.baseY + row, terminal.buffer.normal.baseY + row + 1);
    });
    terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => {
      const leaves = params.some((mode) => mode === 1049 || mode === 1047 || mode === 47);
      if (leaves && terminal.buffer.active.type === 'alternate') this.#lastAlt = this.#readAlt();
      return false;
    });
  }

  /** Collects the rows above the screen as lines and removes them from the emulator. */
  #collectScrolledOff(): void {
    const { normal } = this.#model.terminal.buffer;
    if (this.#model.terminal.buffer.active !== normal || normal.baseY === 0) return;
    this.#collectRows(normal.baseY);
    this.#model.core._inputHandler.eraseInDisplay({ params: [3] });
  }

  #collectRows(end: number): void {
    this.#readRows(0, end);
  }

  /** Reads rows `from` to `end` (exclusive) of the normal buffer. */
  #readRows(from: number, end: number): void {
    const { normal } = this.#model.terminal.buffer;
    for (let row = from; row < end; row++) {
      const isWrapped = normal.getLine(row)?.isWrapped ?? false;
      if (!isWrapped || (this.#open?.text.length ?? 0) > MAX_LINE_CHARS) this.#closeLine();
      const part = this.#readRow(normal, row);
      this.#open = this.#open ? { text: this.#open.text + part.text, sgr: this.#open.sgr + part.sgr } : part;
    }
  }

  #readRow(buffer: Parameters<typeof scratchCell>[0], row: number): RenderedLine {
    const line = buffer.getLine(row);
    const rendered: RenderedLine = { text: '', sgr: '' };
    if (!line) return rendered;
    readRuns(line, scratchCell(buffer), (text, key, look) => {
      rendered.text += text;
      rendered.sgr += lookKey(look) === '' || key === '' ? text : `${sgrOf(look)}${text}\x1b[m`;
    });
    rendered.sgr += this.#images.sequences(line);
    return rendered;
  }

  #readAlt(): RenderedLine[] {
    const { alternate } = this.#model.terminal.buffer;
    return Array.from({ length: alternate.length }, (_, row) => this.#readRow(alternate, row));
  }

  #closeLine(): void {
    if (this.#open) this.#push(this.#open);
    this.#open = undefined;
  }

  #push(line: RenderedLine): void {
    const text = line.text.trimEnd();
    const sgr = line.sgr.trimEnd();
    if (text === '' && !sgr.includes(IMAGE)) {
      this.#blanks += 1;
      return;
    }
    // rows above the block's first row belong to other blocks
    const blanks = this.#hasText ? this.#blanks : Math.max(0, this.#blanks - this.#startRow);
    for (let n = 0; n < blanks; n++) this.#lines.push({ text: '', sgr: '' });
    this.#blanks = 0;
    this.#hasText = true;
    this.#lines.push({ text, sgr });
  }
}
