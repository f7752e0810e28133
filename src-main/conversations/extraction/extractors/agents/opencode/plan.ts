import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { PlanSource } from '../../../../../contract/chat/progress.ts';
import { planInRows } from '../../planRows.ts';
import { blockLines, type Piece } from './pieces.ts';

/** Columns beside the text of a block: its margin and bar, and the padding at its right. */
const FRAME_COLS = 5;
const HEAD = /^\s*# Todos\s*$/;
/** A cancelled item has the box of an open one. */
const BOXES = { '[✓]': 'done', '[•]': 'active', '[ ]': 'open' } as const;

/** The last list on the screen that is visible from its head to the empty row below it. */
export function planOf({ rows, cols }: ChatSnapshot, pieces: readonly Piece[]): PlanSource | null {
  for (const piece of pieces.toReversed()) {
    if (piece.kind !== 'blockCall') continue;
    const lines = blockLines(rows.slice(piece.from, piece.to));
    const head = lines.findIndex((line) => line.trim() !== '');
    if (!HEAD.test(lines[head] ?? '')) continue;
    if (lines.at(-1)?.trim() !== '') return null;
    return planInRows(
      lines.slice(head + 1).map((text) => ({ text })),
      { boxes: BOXES, cols: cols - FRAME_COLS },
    );
  }
  return null;
}
