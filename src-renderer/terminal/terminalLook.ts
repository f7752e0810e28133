import type { Terminal } from '@xterm/xterm';
import type { Settings } from '../../src-main/contract/settings.ts';

/** What the settings say of a terminal's look, in the emulator's terms. */
export interface TerminalLook {
  fontFamily: string;
  /** With the window's text scale. */
  fontSizePx: number;
  rowPx: number;
  scrollbackLines: number;
  cursorShape: Settings['terminal.cursorShape'];
  cursorBlink: boolean;
  minimumContrast: number;
  optionAsMeta: boolean;
}

export function terminalLook(settings: Settings): TerminalLook {
  const fontSizePx = (settings['terminal.fontSizePx'] * settings['window.textScale']) / 100;
  return {
    fontFamily: settings['terminal.fontFamily'],
    fontSizePx,
    // In whole px, so that finished text and the emulator stand alike.
    rowPx: Math.round(fontSizePx * settings['terminal.lineHeight']),
    scrollbackLines: settings['terminal.scrollbackLines'],
    cursorShape: settings['terminal.cursorShape'],
    cursorBlink: settings['terminal.cursorBlink'],
    minimumContrast: settings['terminal.minimumContrast'],
    optionAsMeta: settings['terminal.optionAsMeta'],
  };
}

/** True when the font changed, which has to be measured then. A cursor that a program asked for (DECSCUSR) stays. */
export function applyLook({ options }: Terminal, look: TerminalLook): boolean {
  const font = { fontFamily: fontStack(look.fontFamily), fontSize: look.fontSizePx };
  const isNew = options.fontFamily !== font.fontFamily || options.fontSize !== font.fontSize;
  Object.assign(options, isNew ? font : {}, {
    cursorBlink: look.cursorBlink,
    cursorStyle: look.cursorShape,
    macOptionIsMeta: look.optionAsMeta,
    minimumContrastRatio: look.minimumContrast,
    scrollback: look.scrollbackLines,
  });
  return isNew;
}

export function fontStack(family: string): string {
  return `"${family.replaceAll('"', '')}", "IBM Plex Mono", ui-monospace, monospace`;
}
