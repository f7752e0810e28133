import type { PlanSource } from '../../../../../contract/chat/progress.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { planInRows } from '../../planRows.ts';
import { blockLines, type Piece } from './pieces.ts';

const HEAD = /^\s*# Todos\s*$/;
/** A cancelled item has the box of an open one. */
const BOXES = { '[✓]': 'done', '[•]': 'active', '[ ]': 'open' } as const;

/** The last list on the screen that is visible from its head to the empty row below it. */
export function planOf(rows: readonly FrameRow[], pieces: readonly Piece[]): PlanSource | null {
  for (const piece of pieces.toReversed()) {
    if (piece.kind !== 'blockCall') continue;
    const lines = blockLines(rows.slice(piece.from, piece.to));
    const head = lines.findIndex((line) => line.trim() !== '');
    if (!HEAD.test(lines[head] ?? '')) continue;
    if (lines.at(-1)?.trim() !== '') return null;
    return planInRows(
      lines.slice(head + 1).map((text) => ({ text })),
      BOXES,
    );
  }
  return null;
}
