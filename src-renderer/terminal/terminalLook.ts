import type { Terminal } from '@xterm/xterm';
import type { Settings } from '../../src-main/contract/settings.ts';
import { showLigatures } from './ligatures.ts';

/** The settings of a terminal's look, in the emulator's terms. */
export interface TerminalLook {
  fontFamily: string;
  /** Includes the window's text scale. */
  fontSizePx: number;
  fontWeight: number;
  ligatures: boolean;
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
    fontWeight: settings['terminal.fontWeight'],
    ligatures: settings['terminal.ligatures'],
    // Whole px, so that finished text and the emulator align.
    rowPx: Math.round(fontSizePx * settings['terminal.lineHeight']),
    scrollbackLines: settings['terminal.scrollbackLines'],
    cursorShape: settings['terminal.cursorShape'],
    cursorBlink: settings['terminal.cursorBlink'],
    minimumContrast: settings['terminal.minimumContrast'],
    optionAsMeta: settings['terminal.optionAsMeta'],
  };
}

/** Returns true if the font changed, so that it has to be measured. Keeps a cursor style that a program set (DECSCUSR). */
export function applyLook(xterm: Terminal, look: TerminalLook): boolean {
  const { options } = xterm;
  const font = { fontFamily: fontStack(look.fontFamily), fontSize: look.fontSizePx };
  const isNew = options.fontFamily !== font.fontFamily || options.fontSize !== font.fontSize;
  Object.assign(options, isNew ? font : {}, {
    cursorBlink: look.cursorBlink,
    cursorStyle: look.cursorShape,
    fontWeight: look.fontWeight,
    fontWeightBold: boldWeight(look.fontWeight),
    macOptionIsMeta: look.optionAsMeta,
    minimumContrastRatio: look.minimumContrast,
    scrollback: look.scrollbackLines,
  });
  showLigatures(xterm, look.ligatures);
  return isNew;
}

/** Weight of bold text. */
export function boldWeight(weight: number): number {
  return Math.min(900, weight + 200);
}

/** The look of finished output, as properties for the style sheets of cards. */
export function lookStyle({ fontFamily, fontSizePx, fontWeight, ligatures, rowPx }: TerminalLook): string {
  return [
    `--row:${rowPx}px`,
    `--term-size:${fontSizePx}px`,
    `--term-face:${fontStack(fontFamily)}`,
    `--term-weight:${fontWeight}`,
    `--term-bold:${boldWeight(fontWeight)}`,
    `--term-ligatures:${ligatures ? 'normal' : 'none'}`,
    `--term-features:${ligatures ? '"calt", "liga"' : 'normal'}`,
  ].join(';');
}

export function fontStack(family: string): string {
  return `"${family.replaceAll('"', '')}", "IBM Plex Mono", ui-monospace, monospace`;
}
