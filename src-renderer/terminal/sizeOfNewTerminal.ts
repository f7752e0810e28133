import type { Settings } from '../../src-main/contract/settings.ts';
import { rowsRoomPx, SIDES_PX } from './paneMargins.ts';
import { fontStack, terminalLook } from './terminalLook.ts';

/** Height of the window's header, which does not exist before the first terminal. It affects the rows only. */
const HEADER_PX = 44;
/** Limits of the core (contract/terminal.ts). */
const SIDE = { min: 2, max: 1000 };

/** The pane to split, and the side of the new pane. */
interface Half {
  at: string;
  side: 'left' | 'right' | 'up' | 'down';
}

/** Resolves when letters can be measured. A face that cannot be loaded is replaced by the next of the stack. */
export async function loadTerminalFace(settings: Settings): Promise<string> {
  const { fontSizePx, fontFamily } = terminalLook(settings);
  const font = `${fontSizePx}px ${fontStack(fontFamily)}`;
  await document.fonts.load(font).catch(() => undefined);
  return font;
}

/** Size of a new terminal in this window, computed from the font because its emulator does not exist yet. */
export async function sizeOfNewTerminal(settings: Settings, half?: Half): Promise<{ cols: number; rows: number }> {
  const { fontSizePx: px, rowPx } = terminalLook(settings);
  const font = await loadTerminalFace(settings);
  const { width, height } = half ? roomOfHalf(half) : roomOfTab();
  const hasComposer = settings['prompt.mode'] === 'composer';
  const rowsPx = rowsRoomPx(height, { hasCard: true, hasComposer, textScale: settings['window.textScale'] });
  const letterPx = letterWidthPx(font) || px * 0.6;
  return { cols: cells((width - SIDES_PX + 0.01) / letterPx), rows: cells(rowsPx / rowPx) };
}

interface Room {
  width: number;
  height: number;
}

/** A pane's head and side border, which a tab with one pane does not have. */
const HEAD_PX = 29;
const EDGE_PX = 1;

function roomOfHalf({ at, side }: Half): Room {
  const view = document.querySelector(`[data-pane-of="${at}"]`);
  if (!view) return roomOfTab();
  const isAcross = side === 'left' || side === 'right';
  const width = isAcross ? view.clientWidth / 2 - EDGE_PX : view.clientWidth;
  return { width, height: (isAcross ? view.clientHeight : view.clientHeight / 2) - HEAD_PX };
}

function roomOfTab(): Room {
  const area = document.querySelector('[data-pane-of]')?.parentElement;
  if (area) return { width: area.clientWidth, height: area.clientHeight };
  const { clientWidth = innerWidth, clientHeight = innerHeight } = document.getElementById('pane') ?? {};
  return { width: clientWidth, height: clientHeight - HEADER_PX };
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
