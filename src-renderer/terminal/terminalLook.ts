import type { Terminal } from '@xterm/xterm';
import type { Settings } from '../../src-main/contract/settings.ts';
import { showLigatures } from './ligatures.ts';

/** What the settings say of a terminal's look, in the emulator's terms. */
export interface TerminalLook {
  fontFamily: string;
  /** With the window's text scale. */
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

/** Bold text is heavier than the rest, as far as weights go. */
export function boldWeight(weight: number): number {
  return Math.min(900, weight + 200);
}

/** The same for finished output, as properties that the style sheets of cards read. */
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
