import type { IBuffer, IBufferNamespace, Terminal } from '@xterm/headless';
import type { FrameRow } from '../../contract/screen/frame.ts';
import type { XtermCore } from '../../shared/xterm/xtermInternals.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { readFrameRow } from './frameRows.ts';
import { cellsHash, RowCache } from './RowCache.ts';

/** The last rows above the screen that nobody has read yet are read before xterm lets go of them: one may go while it scrolls. */
const SPARE_ROWS = 1;
/** Blank rows and one with words tell where what left belongs; more would not tell it better. */
const BELOW_ROWS = 3;
/** A rule, a frame or a scroll bar may stand in any row. */
const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * Sees every row that leaves the screen through its top or through the top of a scroll region, before the emulator drops it.
 * Rows that are erased, deleted (DL) or pushed off a bottom (IL, RI, SD) do not leave: the program took them away.
 *
 * Listens where xterm scrolls, which is the one place that line feeds, IND, NEL, wraps and (see `keepScrolledUp`) `CSI S` at the
 * top of the screen go through.
 */
export class ScrolledOffRows implements IDisposable {
  readonly #terminal: Terminal;
  readonly #core: XtermCore;
  /** Asked of the terminal once: it looks at its options each time. */
  readonly #buffers: IBufferNamespace;
  readonly #dropping = new Emitter<number>();
  /** What each reader has not taken yet. */
  readonly #readers = new Map<object, FrameRow[]>();
  /** Rows at the end of the scrollback that belong behind those of all readers. */
  #unread = 0;
  #scrolled = 0;
  #uncounted = 0;
  #below: readonly FrameRow[] | null = null;
  /** What came to the top of the normal screen when the last row left it, by its cells; null when nothing is known of that. */
  #top: number | null = null;
  readonly #breaking = new Emitter<void>();
  readonly #redrawn = new Emitter<void>();
  #known: RowCache | undefined;

  /** The row that leaves a region next is not the one that stood below the last, down to one with words: they do not belong together. Told while the rows before can be taken. */
  readonly onBreaking = this.#breaking.on;

  /** The row that leaves the normal screen next is not the one that stood below the last: it was drawn anew. Told while the rows before can be taken. */
  readonly onRedrawn = this.#redrawn.on;

  /**
   * The row of the normal screen of this number (0 at the top of the screen) is dropped next, and goes to no scrollback. Told before, while it
   * can still be read.
   */
  readonly onDropping = this.#dropping.on;

  constructor(terminal: Terminal, core: XtermCore) {
    this.#terminal = terminal;
    this.#core = core;
    this.#buffers = terminal.buffer;
    const service = core._bufferService;
    const scroll = service.scroll;
    service.scroll = (...args) => {
      this.#beforeScroll();
      scroll.apply(service, args);
    };
    terminal.parser.registerCsiHandler({ final: 'S' }, (params) => this.#beforeScrollUp(Number(params[0]) || 1));
    for (const id of [{ final: 'J' }, { prefix: '?', final: 'J' }]) {
      terminal.parser.registerCsiHandler(id, (params) => this.#beforeErase(params[0] === 3));
    }
    terminal.parser.registerEscHandler({ final: 'c' }, () => this.#beforeErase(true));
  }

  /** Rows that have gone from the top of the normal screen into the scrollback, ever. */
  get scrolled(): number {
    return this.#scrolled;
  }

  /** Counts other moves than of the whole screen: while this stands still, `scrolled` tells exactly how far the screen moved. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** What was read while somebody collects: most of what leaves stood on the screen before, and often left before. */
  get known(): RowCache | undefined {
    return this.#known;
  }

  /** What stood below the row that left last, down to the first row with words; null when that went into the scrollback. */
  get below(): readonly FrameRow[] | null {
    return this.#below;
  }

  /** At the top of the normal screen stands another row than came there when the last one left. */
  get isRedrawn(): boolean {
    const { active, normal } = this.#core.buffers;
    return this.#top !== null && active === normal && this.#cellsAt(0) !== this.#top;
  }

  /** Rows are kept for `take` of this reader from now on, or no longer. Costs nothing while nobody reads. */
  collect(isOn: boolean, reader: object = this): void {
    if (isOn === this.#readers.has(reader)) return;
    this.#readScrollback();
    if (isOn) this.#readers.set(reader, []);
    else this.#readers.delete(reader);
    if (!this.#isCollecting) this.#top = null;
    this.#known = this.#isCollecting ? (this.#known ?? new RowCache()) : undefined;
  }

  /** The size changes next: rows are cut anew, and move into the scrollback and out of it. */
  beforeResize(): void {
    this.#uncounted += 1;
    this.#top = null;
    this.#readScrollback();
  }

  /** The rows that left since this reader's last call, in order, each once. */
  take(reader: object = this): FrameRow[] {
    this.#readScrollback();
    return this.#readers.get(reader)?.splice(0) ?? [];
  }

  dispose(): void {
    this.#dropping.dispose();
    this.#breaking.dispose();
    this.#redrawn.dispose();
  }

  get #isCollecting(): boolean {
    return this.#readers.size > 0;
  }

  #beforeScroll(): void {
    const { active, normal } = this.#core.buffers;
    if (active === normal && active.scrollTop === 0) {
      this.#scrolled += 1;
      if (active.scrollBottom !== this.#terminal.rows - 1) this.#uncounted += 1; // the rows below the region stay
      if (this.#isCollecting) this.#noteScrolled();
      return;
    }
    this.#drop(active.scrollTop);
    this.#noteBelow(active.scrollTop + 1);
  }

  #noteBelow(from: number): void {
    if (!this.#isCollecting) return;
    const { active } = this.#buffers;
    const to = Math.min(from + BELOW_ROWS, this.#core.buffers.active.scrollBottom + 1);
    const below: FrameRow[] = [];
    for (let row = from; row < to && !HAS_WORDS.test(below.at(-1)?.text ?? ''); row++)
      below.push(this.#read(active, active.baseY + row));
    this.#below = below;
  }

  /** One row is about to go into the scrollback. */
  #noteScrolled(): void {
    if (this.isRedrawn) this.#redrawn.fire();
    this.#top = this.#core.buffers.normal.scrollBottom > 0 ? this.#cellsAt(1) : null;
    this.#below = null;
    const held = this.#core.optionsService.rawOptions.scrollback;
    if (this.#unread >= held - SPARE_ROWS) this.#readScrollback();
    if (held > SPARE_ROWS) {
      this.#unread += 1;
      return;
    }
    this.#keep(this.#buffers.normal.baseY);
  }

  /** Of a row of the normal screen. */
  #cellsAt(row: number): number {
    const { lines, ybase } = this.#core.buffers.normal;
    return cellsHash(lines.get(ybase + row));
  }

  #beforeScrollUp(count: number): boolean {
    const { active, normal } = this.#core.buffers;
    if (active === normal && active.scrollTop === 0) return false; // goes through `scroll`
    const rows = Math.min(count, active.scrollBottom - active.scrollTop + 1);
    for (let row = 0; row < rows; row++) this.#drop(active.scrollTop + row);
    this.#noteBelow(active.scrollTop + rows);
    return false;
  }

  /** ED 3 and RIS empty the scrollback. */
  #beforeErase(isScrollback: boolean): boolean {
    if (isScrollback) this.#readScrollback();
    return false;
  }

  #drop(row: number): void {
    this.#uncounted += 1;
    if (this.#core.buffers.active === this.#core.buffers.normal) this.#dropping.fire(row);
    if (!this.#isCollecting) return;
    this.#readScrollback();
    const { active } = this.#buffers;
    const isAsBefore = ({ text }: FrameRow, at: number) => text === this.#read(active, active.baseY + row + at).text;
    if (this.#below?.every(isAsBefore) === false) this.#breaking.fire(); // a blank row alone tells nothing
    this.#below = null;
    this.#keep(active.baseY + row);
  }

  #readScrollback(): void {
    if (this.#unread === 0) return;
    const { normal } = this.#buffers;
    for (let row = normal.baseY - this.#unread; row < normal.baseY; row++) this.#keep(row, normal);
    this.#unread = 0;
  }

  #keep(row: number, buffer: IBuffer = this.#buffers.active): void {
    const read = this.#read(buffer, row);
    for (const rows of this.#readers.values()) rows.push(read);
  }

  #read(buffer: IBuffer, row: number): FrameRow {
    return readFrameRow(this.#core, buffer, row, { known: this.#known });
  }
}
