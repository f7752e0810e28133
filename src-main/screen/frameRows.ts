import type { Terminal } from '@xterm/headless';
import type { StyledSpan } from '../contract/block.ts';
import type { FrameRow } from '../contract/frame.ts';
import { spanOf } from './cellLook.ts';
import { readRuns } from './readRow.ts';
import { type Cell, scratchCell, type XtermCore } from './xtermInternals.ts';

/** The rows of the screen, top first, frozen. A row equal to the one of `before` at the same place is that object. */
export function readFrameRows(terminal: Terminal, core: XtermCore, before: readonly FrameRow[]): FrameRow[] {
  const { active } = terminal.buffer;
  const cell = scratchCell(active);
  const rows: FrameRow[] = [];
  for (let row = 0; row < terminal.rows; row++) {
    const line = active.getLine(active.baseY + row);
    const spans: StyledSpan[] = [];
    if (line)
      readRuns(line, cell, (text, _key, look) => spans.push(Object.freeze(spanOf(text, look, linkOf(core, look)))));
    const text = spans.map((span) => span.text).join('');
    const own: FrameRow = Object.freeze({ text, spans: Object.freeze(spans), wrapped: line?.isWrapped ?? false });
    const old = before[row];
    rows.push(old && isSameRow(old, own) ? old : own);
  }
  return rows;
}

/** xterm's bit in `bg` that says the cell has a link (or an underline style). */
const HAS_EXTENDED = 0x10000000;

export function linkOf(core: XtermCore, cell: Cell): string | undefined {
  if (!(cell.bg & HAS_EXTENDED) || cell.extended.urlId === 0) return undefined;
  return core._oscLinkService.getLinkData(cell.extended.urlId)?.uri;
}

function isSameRow(a: FrameRow, b: FrameRow): boolean {
  return a.text === b.text && a.wrapped === b.wrapped && JSON.stringify(a.spans) === JSON.stringify(b.spans);
}
