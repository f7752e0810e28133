import type { Terminal } from '@xterm/xterm';
import type { Palette } from '../../src-main/contract/screen/palette.ts';
import type { StreamMark } from '../../src-main/contract/terminal.ts';
import { ImageLoader } from '../images/ImageLoader.ts';
import type { LiveImages } from '../images/LiveImages.ts';
import type { BlockRpc, Stop, TerminalRpc } from '../rpc/Rpc.ts';
import { isCoarse } from '../ui/touch/pointer.ts';
import { Acks } from './Acks.ts';
import { BlockMarkers } from './BlockMarkers.ts';
import { createXterm, type XtermEvents } from './createXterm.ts';
import { FastRenderer } from './FastRenderer.ts';
import { keepComposition } from './keepComposition.ts';
import { LiveSearch } from './LiveSearch.ts';
import { type LiveBuffer, type LiveClip, liveClip, takesWheel } from './liveClip.ts';
import { type CellPx, cellsIn, comesToEndWith, lineToCursor, measureCell, readBuffer } from './measureCell.ts';
import { xtermTheme } from './readPalette.ts';
import { StreamFeed, type StreamSink } from './StreamFeed.ts';
import { applyLook, type TerminalLook } from './terminalLook.ts';
import { ViewerSize } from './ViewerSize.svelte.ts';

/** The calls of the core that the live terminal uses. */
export type LiveRpc = Pick<TerminalRpc, 'stream' | 'ack' | 'write' | 'writeBinary' | 'resize'>;

export interface LiveOptions {
  look: TerminalLook;
  palette: Palette;
  events: XtermEvents;
  blocks: Pick<BlockRpc, 'imageBytes'>;
  /** Whether typed keys are for the program. */
  hasKeys(): boolean;
  /** True if the key is held for now. */
  takes(data: string): boolean;
  /** The output up to this mark was drawn. */
  passed(mark: StreamMark['kind']): void;
  /** The emulator drew; `line` returns the text before the cursor. */
  drawn(line: () => string): void;
}

const NO_BUFFER: LiveBuffer = { rows: 24, baseLine: 0, viewLine: 0, lastLine: 0, endsEmpty: true };

/**
 * The one live emulator of a shown terminal. It moves to the element that shows it: the running card, the whole pane, or the shell's own prompt.
 * `buffer` has the positions in it and changes with each frame.
 */
export class LiveTerminal {
  readonly #id: string;
  readonly #rpc: LiveRpc;
  readonly #places: BlockMarkers;
  readonly #acks: Acks;
  readonly #feed: StreamFeed;
  readonly #viewerId = crypto.randomUUID();
  #palette: Palette;
  #parking: HTMLElement | undefined;
  #stopStream: Stop | undefined;
  #frame = 0;
  /** Shown as a plain terminal, or a full-screen program runs: no rows are clipped. */
  #isWhole = false;
  readonly #renderer = new FastRenderer();
  #isDisposed = false;
  /** The focus returns to the emulator at its new place without a choice of the person. */
  #isMoving = false;
  #pixelRatio = devicePixelRatio;
  readonly #options: Pick<LiveOptions, 'hasKeys' | 'takes' | 'passed' | 'drawn'>;

  /** This window's size for the terminal, which may have another window's. */
  readonly own: ViewerSize;
  readonly element = document.createElement('div');
  readonly xterm: Terminal;
  rowPx = 19;
  readonly search: LiveSearch;
  readonly images: ImageLoader;
  buffer = $state.raw<LiveBuffer>(NO_BUFFER);
  cell = $state.raw<CellPx>({ width: 7.5, height: 19 });
  size = $state.raw({ cols: 80, rows: 24 });
  isAlt = $state(false);
  /** True once the first state is written, so that the emulator shows this terminal. */
  isShown = $state(false);
  bells = $state(0);
  /** Measured with its own font. A fallback font has other widths, so the program would get a wrong size. */
  hasFont = $state(false);

  constructor(id: string, rpc: LiveRpc, options: LiveOptions) {
    const { look, palette, events } = options;
    this.#options = options;
    this.#id = id;
    this.#rpc = rpc;
    this.#palette = palette;
    this.images = new ImageLoader(id, options.blocks);
    const { xterm, images } = createXterm({ ...look, theme: xtermTheme(palette) }, events, this.images);
    this.xterm = xterm;
    this.search = new LiveSearch(xterm);
    this.#places = new BlockMarkers(xterm);
    // A terminal closed meanwhile refuses the size; its tab shows that it is closed.
    this.own = new ViewerSize((size, take) => rpc.resize({ id, ...size, take }).catch(() => undefined));
    // The next acknowledgement replaces a lost one, because it counts from the start.
    const ack = (offset: number) => rpc.ack({ id, viewerId: this.#viewerId, offset }).catch(() => undefined);
    this.#acks = new Acks((offset) => void ack(offset));
    this.#feed = new StreamFeed(this.#sink(images), (offset) => this.#acks.reached(offset));
    this.element.className = 'live-screen';
    this.element.dataset.keys = 'program';
    this.#listen();
  }

  /** Opens the emulator in `parking`, where it stays while it is not shown, and starts to follow the terminal. */
  open(parking: HTMLElement): void {
    this.#parking = parking;
    parking.append(this.element);
    this.xterm.open(this.element);
    keepComposition(this.xterm);
    this.#measure();
    void this.#settleFont();
    this.#stopStream = this.#rpc.stream({ id: this.#id, viewerId: this.#viewerId }, (item) => this.#feed.take(item));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stopStream?.();
    this.#feed.close();
    this.#acks.dispose();
    cancelAnimationFrame(this.#frame);
    this.own.dispose();
    this.#renderer.dispose();
    this.xterm.dispose();
    this.images.dispose();
    this.element.remove();
  }

  /** Shows the emulator in `host`. The returned function parks it, unless another element has taken it since. */
  mount(host: HTMLElement): () => void {
    this.#moveTo(host);
    return () => {
      if (this.element.parentElement === host && this.#parking) this.#moveTo(this.#parking);
    };
  }

  get hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  /** A parked emulator takes the keys typed before the command has a card; it cannot be reached by Tab. */
  focus(): void {
    this.xterm.focus();
  }

  /** Whether the text before the cursor ends with `text`, now or soon. */
  standsInLine(text: string): Promise<boolean> {
    return comesToEndWith(this.xterm, text);
  }

  /** The rows of a block, or undefined if the emulator does not have them. Reads `buffer`, so it updates with each frame. */
  clip(blockId: string): LiveClip | undefined {
    const { buffer } = this;
    const range = this.#places.range(blockId);
    return range && liveClip(buffer, range.first, range.end);
  }

  /** The rows of the shell's own prompt. */
  promptClip(): LiveClip {
    return liveClip(this.buffer, this.#places.promptLine);
  }

  /** Registers the running block of the list. */
  adopt(blockId: string): void {
    if (this.#places.adopt(blockId)) this.#look();
  }

  /** Sends the size that fits into `widthPx` × `heightPx` to the core. The stream returns it at its position between the bytes. */
  fit(widthPx: number, heightPx: number): void {
    if (!this.hasFont) return;
    if (this.#pixelRatio !== devicePixelRatio) this.#zoomed();
    this.own.fit(cellsIn({ width: widthPx, height: heightPx }, this.cell));
  }

  setLook(palette: Palette, isWhole: boolean): void {
    if (palette === this.#palette && isWhole === this.#isWhole) return;
    this.#palette = palette;
    this.#isWhole = isWhole;
    this.xterm.options.theme = xtermTheme(palette);
    this.#look();
  }

  setStyle(look: TerminalLook): void {
    const isNew = applyLook(this.xterm, look) || this.rowPx !== look.rowPx;
    this.rowPx = look.rowPx;
    if (isNew) void this.#settleFont();
  }

  #sink(images: LiveImages): StreamSink {
    const { xterm } = this;
    return {
      reset: ({ cols, rows }) => {
        this.#places.forget();
        xterm.reset();
        xterm.resize(cols, rows);
      },
      write: (data, offset, done) => images.write(data, offset, done),
      resize: ({ cols, rows }) => xterm.resize(cols, rows),
      restored: (item) => {
        this.#places.restore(item);
        this.isAlt = xterm.buffer.active.type === 'alternate';
        this.isShown = true;
        this.own.began({ cols: xterm.cols, rows: xterm.rows });
        this.#look();
      },
      mark: ({ kind, blockId }) => {
        if (kind === 'prompt') this.#places.prompt();
        else if (blockId !== null) this.#places[kind](blockId);
        if (kind === 'begin') xterm.scrollToBottom();
        this.#options.passed(kind);
        // At once, because the rows of a card are computed from the markers and the buffer together.
        this.buffer = readBuffer(xterm);
      },
    };
  }

  #listen(): void {
    const { xterm } = this;
    // Errors of writes are shown elsewhere: the connection is lost, or the tab shows that its program has ended.
    const quietly = (sent: Promise<unknown>) => void sent.catch(() => undefined);
    xterm.onData((data) => {
      if (!this.#options.takes(data)) quietly(this.#rpc.write({ id: this.#id, data }));
    });
    xterm.onBinary((data) => quietly(this.#rpc.writeBinary({ id: this.#id, data })));
    xterm.onBell(() => {
      this.bells += 1;
    });
    xterm.onResize(({ cols, rows }) => {
      this.size = { cols, rows };
      this.own.resized(this.size);
    });
    xterm.onWriteParsed(() => this.#options.drawn(() => lineToCursor(xterm)));
    xterm.buffer.onBufferChange(() => this.#look());
    for (const on of [xterm.onRender, xterm.onWriteParsed, xterm.onScroll, xterm.onResize]) on(() => this.#look());
    this.element.addEventListener('focusin', (event) => this.#isMoving && event.stopPropagation());
    this.element.addEventListener('wheel', (event) => this.#wheel(event), { capture: true, passive: true });
  }

  /** Whether the emulator can scroll through more of the program's rows in that direction. */
  scrollsItself(by: number): boolean {
    return takesWheel(this.buffer, this.#isWhole ? 0 : this.#places.firstLine, by);
  }

  /** The wheel goes to the program or to the emulator's own scrollback; if neither takes it, the list scrolls. */
  #wheel(event: WheelEvent): void {
    if (this.isAlt || this.xterm.modes.mouseTrackingMode !== 'none') return;
    if (!this.scrollsItself(event.deltaY)) event.stopPropagation();
  }

  /** Reads the buffer, once per frame. In a card, lines from before the command cannot be scrolled to. */
  #look(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      // Not at the switch itself: the cursor is restored only after it, and the rows would be computed from a wrong position.
      this.isAlt = this.xterm.buffer.active.type === 'alternate';
      if (!this.isAlt) this.#places.widen();
      const { baseY, viewportY } = this.xterm.buffer.active;
      const first = this.#places.firstLine;
      if (!this.isAlt && !this.#isWhole && viewportY < first && first <= baseY) this.xterm.scrollToLine(first);
      this.buffer = readBuffer(this.xterm);
    });
  }

  async #settleFont(): Promise<void> {
    const { fontFamily = '', fontSize = 12.5 } = this.xterm.options;
    const faces = ['400', '600', 'italic 400'].map((face) =>
      document.fonts.load(`${face} ${fontSize}px ${fontFamily}`),
    );
    await Promise.allSettled(faces); // a face that cannot be loaded is replaced by the next of the stack
    if (this.#isDisposed) return;
    this.xterm.options.fontFamily = 'monospace'; // xterm.js measures again only when it changes
    this.xterm.options.fontFamily = fontFamily;
    this.#measure();
    this.hasFont = true;
    void this.#renderer.adapt(this.xterm, this.cell.width);
  }

  /** The renderer rounds letters to the screen's own pixels, in the frame after the zoom. */
  #zoomed(): void {
    this.#pixelRatio = devicePixelRatio;
    requestAnimationFrame(() => !this.#isDisposed && this.#measure());
  }

  #measure(): void {
    this.cell = measureCell(this.xterm, this.rowPx) ?? this.cell;
    this.#look();
  }

  #moveTo(host: HTMLElement): void {
    const { hasFocus } = this;
    host.append(this.element);
    if (this.xterm.textarea) this.xterm.textarea.tabIndex = host === this.#parking ? -1 : 0;
    this.xterm.refresh(0, this.xterm.rows - 1); // a moved canvas loses its content
    const isFree = (document.activeElement === null || document.activeElement === document.body) && !isCoarse();
    if (!hasFocus && !(isFree && this.#options.hasKeys())) return;
    this.#isMoving = true;
    this.xterm.focus(); // moving an element removes its focus
    this.#isMoving = false;
  }
}
