import { type ByteRange, CELL_PX, cellsOf, type ImageRef, readSlice } from '../../contract/image.ts';
import { imageAsIs } from './fitImage.ts';
import { ItermImages } from './ItermImages.ts';
import { apcName, type ImageCore, imageCoreOf, readApc } from './imageCore.ts';
import { type CoreTile, putTile, removeTiles, slicesOf } from './imageTiles.ts';
import { KittyGraphics, type KittyOwner, type KittyRemoval, type KittyResult } from './KittyGraphics.ts';
import { SixelReader } from './SixelReader.ts';

/** The core's or a window's emulator. */
export interface StageTerminal {
  readonly cols: number;
  readonly rows: number;
  readonly parser: { registerEscHandler(id: { final: string }, handler: () => boolean): { dispose(): void } };
}

export interface StageOptions {
  /** Sends answers to the program; only the core does. */
  reply?(text: string): void;
}

const SIXEL = 'q'.charCodeAt(0);
const ITERM = 1337;
/** Limit of a kitty command: its keys, the head of its payload, and the data of the state's own sequences. */
const MAX_COMMAND_CHARS = 4096;
const BYTES_A_ROW = 4;

/** Final position of a cursor that was in an image's first cell. */
type CursorRule = 'below' | 'behind' | 'kitty' | 'stays';

/**
 * Reads images in an emulator's stream and puts them into its cells. Both emulators have one, so that after any image the cursor is at the same
 * position in both. Knows no pixels: an image is a range of bytes and a size in cells of `CELL_PX`.
 *
 * The owner sets `range` before each slice that it writes (see `ImageSlicer`).
 */
export class ImageStage {
  readonly #terminal: StageTerminal;
  readonly #core: ImageCore | undefined;
  readonly #reply: (text: string) => void;
  readonly #kitty = new KittyGraphics();
  readonly #iterm = new ItermImages();
  /** True while a state is written, which contains private sequences; programs' own are not read like these. */
  isRestoring = false;
  range: ByteRange = { from: 0, to: 0 };

  constructor(terminal: StageTerminal, { reply = () => undefined }: StageOptions = {}) {
    this.#terminal = terminal;
    this.#reply = reply;
    this.#core = imageCoreOf(terminal);
    if (this.#core) this.#listen(this.#core);
  }

  /** State of images on which later sequences depend, as sequences for another stage that is restoring. */
  get state(): string {
    const { open } = this.#iterm;
    const args = open && [...open.args].map(([name, value]) => `${name}=${value}`).join(';');
    const texts = [...this.#kitty.state(), ...(open ? [`hm;${open.from};${open.head};${args}`] : [])];
    return texts.map((text) => `\x1b_${text}\x1b\\`).join('');
  }

  /** Forgets images that were sent but not shown; the cells belong to the emulator. */
  reset(): void {
    this.#kitty.reset();
    this.#iterm.reset();
  }

  #listen(core: ImageCore): void {
    const { _parser } = core._inputHandler;
    readApc(core, 'Gh');
    let sixel = new SixelReader();
    _parser._dcsParser.registerHandler(SIXEL, {
      hook: () => {
        sixel = new SixelReader();
      },
      put: (data, start, end) => sixel.read(data, start, end),
      unhook: (isComplete) => {
        const { width, height } = sixel.size;
        if (isComplete && width > 0 && height > 0) this.#place(imageAsIs(this.range, { width, height }), 'below');
        return true;
      },
    });
    const iterm = new Collected(ItermImages.maxChars);
    _parser._oscParser.registerHandler(ITERM, {
      start: () => iterm.clear(),
      put: (data, start, end) => iterm.put(data, start, end),
      end: (isComplete) => this.#takeIterm(iterm.text, isComplete),
    });
    this.#takeApc(core, 'G', (text) => this.#takeKitty(text));
    this.#takeApc(core, 'h', (text) => this.isRestoring && this.#restore(core, `h${text}`));
    this.#terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.reset();
      return false;
    });
  }

  #takeApc({ _inputHandler: { _parser } }: ImageCore, letter: string, take: (text: string) => void): void {
    const collected = new Collected(letter === 'h' ? ItermImages.maxChars : MAX_COMMAND_CHARS);
    _parser._dcsParser.registerHandler(apcName(letter), {
      hook: () => collected.clear(),
      put: (data, start, end) => collected.put(data, start, end),
      unhook: (isComplete) => {
        if (isComplete) take(collected.text);
        return true;
      },
    });
  }

  #takeIterm(text: string, isComplete: boolean): boolean {
    if (isComplete && text === 'ReportCellSize') {
      this.#reply(`\x1b]1337;ReportCellSize=${CELL_PX.height}.0;${CELL_PX.width}.0;1.0\x1b\\`);
      return true;
    }
    const screen = { width: this.#terminal.cols * CELL_PX.width, height: this.#terminal.rows * CELL_PX.height };
    const image = isComplete ? this.#iterm.take(text, this.range, screen) : undefined;
    if (image) this.#place(image, 'behind');
    return image !== undefined;
  }

  #takeKitty(text: string): void {
    const end = text.indexOf(';');
    const control = end < 0 ? text : text.slice(0, end);
    this.#perform(this.#kitty.take(control, end < 0 ? '' : text.slice(end + 1), this.range));
  }

  #perform({ reply, place, remove }: KittyResult): void {
    if (remove) this.#remove(remove);
    if (place) this.#place(place.image, place.staysPut ? 'stays' : 'kitty', place.owner);
    if (reply !== undefined) this.#reply(reply);
  }

  #place(image: ImageRef, rule: CursorRule, owner?: CoreTile['owner']): void {
    const core = this.#core;
    if (!core) return;
    const { active } = core.buffers;
    const left = Math.min(active.x, this.#terminal.cols - 1);
    const top = active.y;
    const cells = cellsOf(image);
    const [cols, rows] = [cells.cols, Math.min(cells.rows, this.#mostRows(image))];
    active.x = left;
    for (let row = 0; row < rows; row += 1) {
      if (rule === 'stays' && top + row >= this.#terminal.rows) break;
      if (row > 0 && rule !== 'stays') core._inputHandler.lineFeed();
      const at = active.ybase + (rule === 'stays' ? top + row : active.y);
      const line = active.lines.get(at);
      if (row > 0 && line) line.isWrapped = false;
      if (line) putTile(core, line, { image, row, left, owner }, { first: left, end: left + cols });
    }
    core._inputHandler._dirtyRowTracker.markRangeDirty(0, this.#terminal.rows - 1);
    this.#moveCursor(core, left + cols, rule);
  }

  /**
   * A few bytes can claim any height, and each row costs a line feed: limits an image to two screens, or to the rows that its own bytes
   * can fill. A sixel band or a row of pixels takes more bytes.
   */
  #mostRows(image: ImageRef): number {
    const isSentNow = image.to === this.range.to;
    const { from, to } = isSentNow ? image : this.range;
    return Math.max(2 * this.#terminal.rows, Math.ceil((to - from) / BYTES_A_ROW));
  }

  /** Sixel leaves the cursor in the image's last row, below its left edge; iTerm2 and kitty after the image, where kitty may wrap to the next row. */
  #moveCursor(core: ImageCore, behind: number, rule: CursorRule): void {
    const { active } = core.buffers;
    const isOver = behind >= this.#terminal.cols;
    if (rule === 'behind') active.x = isOver ? this.#terminal.cols - 1 : behind;
    if (rule !== 'kitty') return;
    active.x = isOver ? 0 : behind;
    if (isOver) core._inputHandler.lineFeed();
  }

  #remove(removal: KittyRemoval): void {
    const core = this.#core;
    if (!core) return;
    const { active } = core.buffers;
    const cell =
      removal.by === 'cursor' ? { col: active.x, row: active.y } : removal.by === 'cell' ? removal : undefined;
    const covering = cell && this.#ownersAt(core, cell);
    const matches = ({ owner }: CoreTile): boolean => {
      if (!owner) return false;
      if (removal.by === 'all') return true;
      if (removal.by !== 'owner') return covering?.has(nameOf(owner)) ?? false;
      return owner.id === removal.id && (removal.placement === 0 || owner.placement === removal.placement);
    };
    for (let row = 0; row < this.#terminal.rows; row += 1) {
      const line = active.lines.get(active.ybase + row);
      if (line) removeTiles(core, line, matches);
    }
    core._inputHandler._dirtyRowTracker.markRangeDirty(0, this.#terminal.rows - 1);
  }

  #ownersAt({ buffers: { active } }: ImageCore, { col, row }: { col: number; row: number }): Set<string> {
    const slices = slicesOf(active.lines.get(active.ybase + row));
    const there = slices.filter(({ first, count }) => col >= first && col < first + count);
    return new Set(there.flatMap(({ tile: { owner } }) => (owner ? nameOf(owner) : [])));
  }

  #restore(core: ImageCore, text: string): void {
    if (/^h[ko];/.test(text)) this.#kitty.restore(text);
    else if (text.startsWith('hm;')) this.#iterm.restore(text.slice(3));
    const slice = readSlice(text);
    const { active } = core.buffers;
    const line = active.lines.get(active.ybase + active.y);
    if (!slice || !line) return;
    const { image, row, left, first, count } = slice;
    const owner = ownerIn(text);
    putTile(core, line, { image, row, left, owner }, { first, end: first + count });
  }
}

function nameOf({ id, placement }: KittyOwner): string {
  return `${id}.${placement}`;
}

/** Owner of a slice, from the end of its text in a state. */
function ownerIn(text: string): CoreTile['owner'] {
  const [id = 0, placement = 0] = (text.split(';')[3] ?? '').split(',').map(Number);
  return id > 0 ? { id, placement } : undefined;
}

/** Collects the first characters of a string sequence, which comes in pieces. */
class Collected {
  readonly #maxChars: number;
  text = '';

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  clear(): void {
    this.text = '';
  }

  put(data: Uint32Array, start: number, end: number): void {
    const to = Math.min(end, start + this.#maxChars - this.text.length);
    for (let at = start; at < to; at += 1024) {
      this.text += String.fromCodePoint(...data.subarray(at, Math.min(to, at + 1024)));
    }
  }
}
