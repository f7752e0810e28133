import type { Settings } from '../../src-main/contract/settings.ts';
import { fontStack, rowPxOf } from './createXterm.ts';
import { CARD_PX, SIDES_PX } from './paneMargins.ts';

/** Header and composer, which are not there before the first terminal is. Their height decides about rows only. */
const BARS_PX = 44 + 64;
/** As far as the core takes sizes (contract/terminal.ts). */
const SIDE = { min: 2, max: 1000 };

/** The size that a terminal will have in this window's pane, reckoned from the font, since its own emulator is not there yet. */
export async function sizeOfNewTerminal(settings: Settings): Promise<{ cols: number; rows: number }> {
  const px = settings['terminal.fontSizePx'];
  const font = `${px}px ${fontStack(settings['terminal.fontFamily'])}`;
  await document.fonts.load(font).catch(() => undefined); // a face that cannot be loaded is drawn by the next of the stack
  const { width, height } = roomOfPane();
  const letterPx = letterWidthPx(font) || px * 0.6;
  return { cols: cells((width + 0.01) / letterPx), rows: cells(height / rowPxOf(px)) };
}

function roomOfPane(): { width: number; height: number } {
  const pane = document.querySelector('.tab-pane');
  if (pane) return { width: pane.clientWidth - SIDES_PX, height: pane.clientHeight - CARD_PX };
  const main = document.getElementById('pane');
  const { clientWidth = innerWidth, clientHeight = innerHeight } = main ?? {};
  return { width: clientWidth - SIDES_PX, height: clientHeight - BARS_PX - CARD_PX };
}

function letterWidthPx(font: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = font;
  return context.measureText('W').width;
}

function cells(count: number): number {
  return Math.max(SIDE.min, Math.min(SIDE.max, Math.floor(count)));
}
