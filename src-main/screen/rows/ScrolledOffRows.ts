import type { IBuffer, IBufferNamespace, Terminal } from '@xterm/headless';
import type { FrameRow } from '../../contract/screen/frame.ts';
import type { XtermCore } from '../../shared/xterm/xtermInternals.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { readFrameRow } from './frameRows.ts';
import { cellsHash, RowCache } from './RowCache.ts';

/** Rows above the screen that are unread are read before xterm drops them: one row may go during a scroll. */
const SPARE_ROWS = 1;
/** Blank rows and one with words identify where a row belongs; more rows would not help. */
const BELOW_ROWS = 3;
/** A rule, a frame or a scroll bar may be in any row, so only letters and digits count. */
const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * Sees every row that leaves through the top of the screen or of a scroll region, before the emulator drops it.
 * Rows that are erased, deleted (DL) or pushed off a bottom (IL, RI, SD) do not leave: the program removed them.
 *
 * Listens where xterm scrolls, which line feeds, IND, NEL, wraps and (see `keepScrolledUp`) `CSI S` at the top of the screen
 * all pass through.
 */
export class ScrolledOffRows implements IDisposable {
  readonly #terminal: Terminal;
  readonly #core: XtermCore;
  /** Read from the terminal once, because the getter checks its options each time. */
  readonly #buffers: IBufferNamespace;
  readonly #dropping = new Emitter<number>();
  /** Rows that each reader has not taken yet. */
  readonly #readers = new Map<object, FrameRow[]>();
  /** Number of rows at the end of the scrollback that follow those of all readers. */
  #unread = 0;
  #scrolled = 0;
  #uncounted = 0;
  #below: readonly FrameRow[] | null = null;
  /** Hash of the row that reached the top of the normal screen when the last row left; null if unknown. */
  #top: number | null = null;
  readonly #breaking = new Emitter<void>();
  readonly #redrawn = new Emitter<void>();
  #known: RowCache | undefined;

  /**
   * The next row to leave a region is not the one below the last, compared down to a row with words: they do not belong together. Fires while
   * the rows before can be taken.
   */
  readonly onBreaking = this.#breaking.on;

  /** The next row to leave the normal screen is not the one below the last: it was redrawn. Fires while the rows before can be taken. */
  readonly onRedrawn = this.#redrawn.on;

  /**
   * The row of the normal screen with this number (0 at the top) will be dropped, and is not moved to the scrollback. Fires before, while it
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

  /** Rows that ever went from the top of the normal screen into the scrollback. */
  get scrolled(): number {
    return this.#scrolled;
  }

  /** Counts moves of less than the whole screen: while it is unchanged, `scrolled` is exactly how far the screen moved. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** Rows read while there are readers: most rows that leave were on the screen before, and often left before. */
  get known(): RowCache | undefined {
    return this.#known;
  }

  /** The rows below the last row that left, down to the first with words; null if that row went into the scrollback. */
  get below(): readonly FrameRow[] | null {
    return this.#below;
  }

  /** True if the top row of the normal screen is not the one that came there when the last row left. */
  get isRedrawn(): boolean {
    const { active, normal } = this.#core.buffers;
    return this.#top !== null && active === normal && this.#cellsAt(0) !== this.#top;
  }

  /** Starts or stops keeping rows for this reader's `take`. Costs nothing without readers. */
  collect(isOn: boolean, reader: object = this): void {
    if (isOn === this.#readers.has(reader)) return;
    this.#readScrollback();
    if (isOn) this.#readers.set(reader, []);
    else this.#readers.delete(reader);
    if (!this.#isCollecting) this.#top = null;
    this.#known = this.#isCollecting ? (this.#known ?? new RowCache()) : undefined;
  }

  /** Call this before a resize, which wraps rows differently and moves them into and out of the scrollback. */
  beforeResize(): void {
    this.#uncounted += 1;
    this.#top = null;
    this.#readScrollback();
  }

  /** Returns the rows that left since this reader's last call, in order, each once. */
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

  /** Called before a row goes into the scrollback. */
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

  /** Hash of a row of the normal screen. */
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
    if (this.#below?.every(isAsBefore) === false) this.#breaking.fire(); // a blank row alone proves nothing
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
