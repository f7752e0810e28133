import type { ITerminalAddon, Terminal } from '@xterm/xterm';
import type { ByteRange, ImageSlice } from '../../src-main/contract/image.ts';
import { ImageSlicer } from '../../src-main/shared/images/ImageSlicer.ts';
import { ImageStage } from '../../src-main/shared/images/ImageStage.ts';
import { type ImageCore, imageCoreOf } from '../../src-main/shared/images/imageCore.ts';
import { slicesOf } from '../../src-main/shared/images/imageTiles.ts';
import { PixelsBefore } from '../../src-main/shared/images/PixelsBefore.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { type Cell, drawSlice, shownSize } from './drawSlice.ts';
import type { ImageLoader, LoadedImage } from './ImageLoader.ts';
import { drawPlaceholder } from './placeholder.ts';
import { shownImages } from './ShownImages.svelte.ts';

/** What the image handlers need to know of a write before the emulator parses it. */
interface Write {
  range: ByteRange;
  isRestoring: boolean;
}

/** The emulator parses a piece in one go. Most states are smaller, and are drawn at once. */
const MAX_PIECE_CHARS = 2 * 1024 * 1024;
const NOWHERE: Write = { range: { from: 0, to: 0 }, isRestoring: false };

/**
 * Images in a window's emulator. Its cells show them as the core's do (`ImageStage`); a canvas above the text has their pixels. All bytes go through
 * `write`, so that it is known where in the record an image is. Without a loader, as in a replay, placeholders are drawn.
 */
export class LiveImages implements ITerminalAddon {
  readonly #loader: ImageLoader | undefined;
  readonly #slicer = new ImageSlicer();
  readonly #canvas = document.createElement('canvas');
  #xterm: Terminal | undefined;
  #core: ImageCore | undefined;
  #stage: ImageStage | undefined;
  /** The first is parsed now, or next. */
  #writes: Write[] = [];
  #frame = 0;
  #isBlank = true;
  #stops: Stop[] = [];

  constructor(loader?: ImageLoader) {
    this.#loader = loader;
  }

  activate(xterm: Terminal): void {
    this.#xterm = xterm;
    this.#core = imageCoreOf(xterm);
    this.#stage = new ImageStage(xterm);
    this.#canvas.className = 'live-images';
    const events = [xterm.onRender, xterm.onWriteParsed, xterm.onScroll, xterm.onResize];
    const listening = events.map((event) => event(() => this.#drawSoon()));
    this.#stops = [
      ...listening.map((listener) => () => listener.dispose()),
      ...(this.#loader ? [this.#loader.onLoad(() => this.#drawSoon())] : []),
    ];
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    for (const stop of this.#stops.splice(0)) stop();
    this.#canvas.remove();
  }

  /** Writes a state (text) or bytes of the stream, which begin at `offset`; `done` when all of it is parsed. */
  write(data: string | Uint8Array, offset: number, done: () => void): void {
    if (typeof data === 'string') {
      this.#stage?.reset();
      this.#slicer.resume(data);
      for (let from = 0; from === 0 || from < data.length; from += MAX_PIECE_CHARS) {
        const isLast = from + MAX_PIECE_CHARS >= data.length;
        const piece = data.slice(from, from + MAX_PIECE_CHARS);
        this.#push(piece, { ...NOWHERE, isRestoring: true }, isLast ? done : () => undefined);
      }
      return;
    }
    const slices = this.#slicer.cut(data, offset);
    if (slices.length === 0) this.#push(data, NOWHERE, done);
    for (const [at, { bytes, range }] of slices.entries()) {
      const isLast = at === slices.length - 1;
      this.#push(bytes, { range, isRestoring: false }, isLast ? done : () => undefined);
    }
  }

  /** A click on an image opens it, unless it is the program's or ends a selection. */
  readonly #click = ({ clientX, clientY }: MouseEvent): void => {
    const xterm = this.#xterm;
    const box = this.#canvas.getBoundingClientRect();
    if (!xterm || !this.#loader || this.#isBlank || xterm.hasSelection() || box.width === 0) return;
    if (xterm.modes.mouseTrackingMode !== 'none') return;
    const col = Math.floor(((clientX - box.left) / box.width) * xterm.cols);
    const row = Math.floor(((clientY - box.top) / box.height) * xterm.rows);
    const slice = this.#slices(row).find(({ first, count }) => col >= first && col < first + count);
    if (slice) shownImages.open(this.#loader, [slice.image]);
  };

  #push(data: string | Uint8Array, write: Write, done: () => void): void {
    this.#writes.push(write);
    if (this.#writes.length === 1) this.#tell(write);
    this.#xterm?.write(data, () => {
      this.#writes.shift();
      this.#tell(this.#writes[0] ?? NOWHERE);
      done();
    });
  }

  #tell({ range, isRestoring }: Write): void {
    if (!this.#stage) return;
    this.#stage.range = range;
    this.#stage.isRestoring = isRestoring;
  }

  #slices(row: number): ImageSlice[] {
    const viewY = this.#xterm?.buffer.active.viewportY ?? 0;
    return slicesOf(this.#core?.buffers.active.lines.get(viewY + row));
  }

  #drawSoon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const xterm = this.#xterm;
    const screen = xterm?.element?.querySelector<HTMLElement>('.xterm-screen');
    if (!xterm || !screen) return;
    const rows = Array.from({ length: xterm.rows }, (_, row) => this.#slices(row));
    const isBlank = rows.every((slices) => slices.length === 0);
    if (isBlank && this.#isBlank) return;
    this.#isBlank = isBlank;
    const context = this.#clear(screen);
    if (!context || isBlank) return;
    const cell = { width: screen.clientWidth / xterm.cols, height: screen.clientHeight / xterm.rows };
    const before = new PixelsBefore(); // the screen has the limit of a card
    for (const [row, slices] of rows.entries()) {
      for (const slice of slices) {
        const image = { ...slice.image, before: before.of(slice.image) };
        this.#drawSlice(context, { ...slice, image }, { cell, row });
      }
    }
  }

  /** The canvas over the whole screen, empty; one pixel of it is one of the display. */
  #clear(screen: HTMLElement): CanvasRenderingContext2D | null {
    if (this.#canvas.parentElement !== screen) {
      screen.append(this.#canvas);
      screen.addEventListener('click', this.#click);
    }
    const { clientWidth, clientHeight } = screen;
    this.#canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.#canvas.height = Math.round(clientHeight * devicePixelRatio);
    Object.assign(this.#canvas.style, { width: `${clientWidth}px`, height: `${clientHeight}px` });
    const context = this.#canvas.getContext('2d');
    context?.scale(devicePixelRatio, devicePixelRatio);
    return context;
  }

  #drawSlice(context: CanvasRenderingContext2D, slice: ImageSlice, { cell, row }: { cell: Cell; row: number }): void {
    const image: LoadedImage = this.#loader?.look(slice.image) ?? { state: 'leftOut', why: strings.images.notInReplay };
    const [x, y] = [slice.first * cell.width, row * cell.height];
    if (image.state === 'ready') drawSlice(context, image.bitmap, { slice, cell, x, y });
    else if (image.state === 'leftOut') {
      const size = shownSize(slice.image, cell);
      drawPlaceholder(context, image.why, { slice, cell, size, at: { x, y } });
    }
  }
}
