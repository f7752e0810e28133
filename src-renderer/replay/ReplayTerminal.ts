import { MIN_CONTRAST } from '../../src-main/contract/screen/spanColors.ts';
import { createXterm } from '../terminal/createXterm.ts';
import { measureCell } from '../terminal/measureCell.ts';
import { readPalette, watchPalette, xtermTheme } from '../terminal/readPalette.ts';
import type { ReplayScreen } from './ReplayPlayer.svelte.ts';
import type { ScreenSize } from './readCast.ts';

/** A read-only emulator: it takes no keys, does not write to the clipboard and opens no links. */
export class ReplayTerminal implements ReplayScreen {
  readonly #xterm;
  readonly #images;
  readonly #stopPalette;
  readonly #rowPx;
  /** Of the next byte. Images are not drawn here, but take their room. */
  #offset = 0;

  constructor(font: { family: string; sizePx: number }) {
    this.#rowPx = Math.round(font.sizePx * 1.5);
    const look = {
      fontFamily: font.family,
      fontSizePx: font.sizePx,
      rowPx: this.#rowPx,
      scrollbackLines: 0,
      fontWeight: 400,
      ligatures: false,
      cursorShape: 'bar' as const,
      cursorBlink: false,
      minimumContrast: MIN_CONTRAST,
      optionAsMeta: false,
      theme: xtermTheme(readPalette()),
    };
    const { xterm, images } = createXterm(look, { openLink: () => undefined, clipboardWrite: () => undefined });
    xterm.options.disableStdin = true;
    xterm.options.cursorInactiveStyle = 'bar';
    this.#xterm = xterm;
    this.#images = images;
    this.#stopPalette = watchPalette(() => {
      xterm.options.theme = xtermTheme(readPalette());
    });
  }

  open(host: HTMLElement): void {
    this.#xterm.open(host);
    measureCell(this.#xterm, this.#rowPx);
    if (this.#xterm.textarea) this.#xterm.textarea.disabled = true; // a picture takes no keys
  }

  /** The part of the screen that is written on, 0 to 1 from its top; null for a full-screen program, which uses all of it. */
  get writtenTo(): number | null {
    const { buffer, rows } = this.#xterm;
    return buffer.active.type === 'alternate' ? null : (buffer.active.cursorY + 1) / rows;
  }

  /** Returns a function that stops. */
  onDrawn(listener: () => void): () => void {
    const drawings = this.#xterm.onRender(listener);
    return () => drawings.dispose();
  }

  reset({ cols, rows }: ScreenSize): void {
    this.#xterm.reset();
    this.#xterm.resize(cols, rows);
  }

  write(text: string, done: () => void): void {
    const bytes = new TextEncoder().encode(text);
    this.#images.write(bytes, this.#offset, done);
    this.#offset += bytes.length;
  }

  resize({ cols, rows }: ScreenSize): void {
    this.#xterm.resize(cols, rows);
  }

  dispose(): void {
    this.#stopPalette();
    this.#xterm.dispose();
  }
}
