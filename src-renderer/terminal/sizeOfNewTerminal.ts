import type { Settings } from '../../src-main/contract/settings.ts';
import { CARD_PX, SIDES_PX } from './paneMargins.ts';
import { fontStack, terminalLook } from './terminalLook.ts';

/** Header and composer, which are not there before the first terminal is. Their height decides about rows only. */
const BARS_PX = 44 + 64;
/** As far as the core takes sizes (contract/terminal.ts). */
const SIDE = { min: 2, max: 1000 };

/** The pane that the new one gets half of, and on which side. */
interface Half {
  at: string;
  side: 'left' | 'right' | 'up' | 'down';
}

/** The size that a terminal will have in this window, reckoned from the font, since its own emulator is not there yet. */
export async function sizeOfNewTerminal(settings: Settings, half?: Half): Promise<{ cols: number; rows: number }> {
  const { fontSizePx: px, fontFamily, rowPx } = terminalLook(settings);
  const font = `${px}px ${fontStack(fontFamily)}`;
  await document.fonts.load(font).catch(() => undefined); // a face that cannot be loaded is drawn by the next of the stack
  const { width, height } = half ? roomOfHalf(half) : roomOfTab();
  const letterPx = letterWidthPx(font) || px * 0.6;
  return { cols: cells((width + 0.01) / letterPx), rows: cells(height / rowPx) };
}

/** A pane's head and the line at its side, which a tab of one pane does not have. */
const HEAD_PX = 29;
const EDGE_PX = 1;

function roomOfHalf({ at, side }: Half): { width: number; height: number } {
  const view = document.querySelector(`[data-pane-of="${at}"]`);
  const output = view?.querySelector('.tab-pane');
  if (!view || !output) return roomOfTab();
  const bars = view.clientHeight - output.clientHeight + (view.querySelector('[data-pane-head]') ? 0 : HEAD_PX);
  const isAcross = side === 'left' || side === 'right';
  const width = isAcross ? view.clientWidth / 2 - EDGE_PX : view.clientWidth;
  const height = isAcross ? view.clientHeight : view.clientHeight / 2;
  return { width: width - SIDES_PX, height: height - bars - CARD_PX };
}

function roomOfTab(): { width: number; height: number } {
  const panes = document.querySelectorAll('.tab-pane');
  const [only] = panes;
  if (only && panes.length === 1) return { width: only.clientWidth - SIDES_PX, height: only.clientHeight - CARD_PX };
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
