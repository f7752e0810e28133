import type { Terminal } from '@xterm/xterm';
import { imageCoreOf } from '../../src-main/shared/images/imageCore.ts';
import { slicesOf } from '../../src-main/shared/images/imageTiles.ts';
import type { LiveBuffer } from './liveClip.ts';

/** Size of one letter, in CSS px. */
export interface CellPx {
  width: number;
  height: number;
}

/** Limits of the core: 2 to 1000 columns and rows (contract/terminal.ts). */
const SIDE = { min: 2, max: 1000 };

/** Number of letters that fit into the size in px. */
export function cellsIn(room: CellPx, cell: CellPx): { cols: number; rows: number } {
  const clamp = (cells: number) => Math.max(SIDE.min, Math.min(SIDE.max, Math.floor(cells)));
  return { cols: clamp((room.width + 0.01) / cell.width), rows: clamp(room.height / cell.height) };
}

/** Sets the height of the rows and returns the letter's size in the renderer; undefined before the first layout. */
export function measureCell(xterm: Terminal, wantedPx: number): CellPx | undefined {
  xterm.options.lineHeight = 1;
  const plain = screenCell(xterm);
  if (!plain) return undefined;
  // A little more than the ratio: the renderer floors, and 1.117647 × 17 is 18.99.
  xterm.options.lineHeight = Math.max(1, (wantedPx + 0.01) / plain.height);
  return screenCell(xterm);
}

/**
 * Every renderer writes its canvas' size on the screen element, in whole px. Half a px over 103 columns can lose a column, so the width of a letter
 * is measured as the renderer measures it.
 */
function screenCell(xterm: Terminal): CellPx | undefined {
  const screen = xterm.element?.querySelector<HTMLElement>('.xterm-screen');
  const width = Number.parseFloat(screen?.style.width ?? '');
  const height = Number.parseFloat(screen?.style.height ?? '');
  if (!(width > 0 && height > 0)) return undefined;
  return { width: letterPx(xterm) ?? width / xterm.cols, height: height / xterm.rows };
}

function letterPx({ options }: Terminal): number | undefined {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (!canvas) return undefined;
  canvas.font = `${options.fontSize}px ${options.fontFamily}`;
  return canvas.measureText('W').width || undefined;
}

/** Reads the positions in the emulator's active buffer. Reads at most one screen of rows. */
export function readBuffer(xterm: Terminal): LiveBuffer {
  const { active } = xterm.buffer;
  const core = imageCoreOf(xterm);
  const cursorLine = active.baseY + active.cursorY;
  const isBlank = (line: number) => (active.getLine(line)?.translateToString(true) ?? '') === '' && !hasImage(line);
  const hasImage = (line: number) => slicesOf(core?.buffers.active.lines.get(line)).length > 0;
  let lastLine = active.baseY + xterm.rows - 1;
  while (lastLine > cursorLine && isBlank(lastLine)) lastLine -= 1;
  const endsEmpty = lastLine === cursorLine && active.cursorX === 0 && isBlank(cursorLine);
  return { rows: xterm.rows, baseLine: active.baseY, viewLine: active.viewportY, lastLine, endsEmpty };
}

/** Time that a busy shell may take to draw its prompt's line with typed-ahead text. */
const LINE_EDITOR_MS = 1000;

/** Whether the line before the cursor ends with `text`, now or soon. A line editor draws soon after its prompt, or not at all. */
export function comesToEndWith(xterm: Terminal, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ends: boolean) => {
      clearTimeout(timer);
      listening.dispose();
      resolve(ends);
    };
    const listening = xterm.onWriteParsed(() => lineToCursor(xterm).endsWith(text) && settle(true));
    const timer = setTimeout(() => settle(lineToCursor(xterm).endsWith(text)), LINE_EDITOR_MS);
  });
}

/** The logical line with the cursor, over all its rows, up to the cursor. */
export function lineToCursor({ buffer: { active } }: Terminal): string {
  const { baseY, cursorY, cursorX } = active;
  const row = (at: number, end?: number) => active.getLine(at)?.translateToString(false, 0, end) ?? '';
  let text = row(baseY + cursorY, cursorX);
  for (let at = baseY + cursorY; active.getLine(at)?.isWrapped; at -= 1) text = row(at - 1) + text;
  return text;
}
