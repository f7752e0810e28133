import type { IBuffer, IBufferLine, Terminal } from '@xterm/headless';
import type { StyledSpan } from '../../contract/block.ts';
import type { FrameRow } from '../../contract/screen/frame.ts';
import { type Cell, scratchCell, type XtermCore } from '../../shared/xterm/xtermInternals.ts';
import { spanOf } from './cellLook.ts';
import type { RowCache } from './RowCache.ts';
import type { RowMemory } from './RowMemory.ts';
import { readRuns } from './readRow.ts';
import { isSameShellText } from './ShellText.ts';
import { BLANK_ROW, isBlankRow, isSameRow } from './sameRow.ts';

/** The rows of the screen, top first, frozen. A row equal to one of `before` is the same object, even if it moved. */
export function readFrameRows(
  terminal: Terminal,
  core: XtermCore,
  before: readonly FrameRow[],
  { memory, known }: { memory?: RowMemory | undefined; known?: RowCache | undefined } = {},
): FrameRow[] {
  const { active } = terminal.buffer;
  const cell = scratchCell(active);
  const rows: FrameRow[] = [];
  let moved: ReadonlyMap<string, FrameRow> | undefined;
  for (let row = 0; row < terminal.rows; row++) {
    const line = memory && active.getLine(active.baseY + row);
    const same = memory?.recall(row, line);
    if (same) {
      rows.push(same);
      continue;
    }
    const own = readFrameRow(core, active, active.baseY + row, { cell, known });
    const old = before[row];
    const isOld = old !== undefined && isSameRow(old, own) && isSameShellText(old, own);
    if (!isOld) moved ??= new Map(before.map((other) => [other.text, other]));
    const other = isOld ? old : moved?.get(own.text);
    const kept = other && isSameRow(other, own) && isSameShellText(other, own) ? other : own;
    memory?.keep(row, line, kept);
    rows.push(kept);
  }
  return rows;
}

/** Objects that save work during reading. */
interface Reading {
  cell?: Cell | undefined;
  known?: RowCache | undefined;
}

/** Row `at` of `buffer`, counted from the top of the scrollback, frozen. */
export function readFrameRow(core: XtermCore, buffer: IBuffer, at: number, { cell, known }: Reading = {}): FrameRow {
  const line = buffer.getLine(at);
  if (!line) return BLANK_ROW;
  const read = (): FrameRow => readLine(core, line, cell ?? scratchCell(buffer));
  return known ? known.get(line, read) : read();
}

function readLine(core: XtermCore, line: IBufferLine, cell: Cell): FrameRow {
  const spans: StyledSpan[] = [];
  const shellText = readRuns(line, cell, (text, _key, look) =>
    spans.push(Object.freeze(spanOf(text, look, linkOf(core, look)))),
  );
  const text = spans.length === 1 ? (spans[0]?.text ?? '') : spans.map((span) => span.text).join('');
  const row = { text, spans: Object.freeze(spans), wrapped: line.isWrapped, ...(shellText && { shellText }) };
  return isBlankRow(row) ? BLANK_ROW : Object.freeze(row);
}

/** xterm's bit in `bg`: the cell has a link (or an underline style). */
const HAS_EXTENDED = 0x10000000;

export function linkOf(core: XtermCore, cell: Cell): string | undefined {
  if (!(cell.bg & HAS_EXTENDED) || cell.extended.urlId === 0) return undefined;
  return core._oscLinkService.getLinkData(cell.extended.urlId)?.uri;
}
