import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITheme, Terminal } from '@xterm/xterm';
import { UnicodeGraphemesAddon } from '../../src-main/shared/xterm/graphemes.ts';
import { guardXterm, loadGraphemes, silenceReplies } from '../../src-main/shared/xterm/xtermGuards.ts';
import type { ImageLoader } from '../images/ImageLoader.ts';
import { LiveImages } from '../images/LiveImages.ts';
import { clipboardText } from './clipboardText.ts';
import { applyLook, type TerminalLook } from './terminalLook.ts';

export interface XtermLook extends TerminalLook {
  theme: ITheme;
}

/** Events of an emulator for its owner. */
export interface XtermEvents {
  /** `isDisguised`: the clicked text differs from the link's address. */
  openLink(address: string, isDisguised: boolean): void;
  /** Text that a program wants on the clipboard (OSC 52). */
  clipboardWrite(text: string): void;
}

/**
 * The window's emulator: bounded, with links and graphemes. It never answers queries of programs (the core's emulator does) and makes no
 * requests of its own.
 */
export function createXterm(
  look: XtermLook,
  events: XtermEvents,
  loader?: ImageLoader,
): { xterm: Terminal; images: LiveImages } {
  const xterm = new Terminal({
    cols: 80,
    rows: 24,
    allowProposedApi: true, // widths by grapheme are still a proposed API in 6.0
    allowTransparency: false,
    cursorInactiveStyle: 'outline',
    cursorWidth: 2,
    drawBoldTextInBrightColors: false,
    linkHandler: {
      activate: (event, address) => {
        if (isOpening(event)) events.openLink(address, true);
      },
    },
    logLevel: 'off', // the default logs millions of lines for a binary file
    rescaleOverlappingGlyphs: true,
    screenReaderMode: false,
    theme: look.theme,
    windowOptions: {},
  });
  applyLook(xterm, look);
  guardXterm(xterm, () => undefined); // the core keeps titles; the tab shows them
  silenceReplies(xterm);
  xterm.parser.registerOscHandler(52, (data) => {
    const text = clipboardText(data);
    if (text !== undefined) events.clipboardWrite(text);
    return true;
  });
  loadGraphemes(xterm, new UnicodeGraphemesAddon());
  xterm.loadAddon(
    new WebLinksAddon((event, address) => {
      if (isOpening(event)) events.openLink(address, false);
    }),
  );
  const images = new LiveImages(loader);
  xterm.loadAddon(images);
  return { xterm, images };
}

/** A click that opens a link: plain clicks select. */
export function isOpening(event: MouseEvent): boolean {
  return event.ctrlKey || event.metaKey;
}
