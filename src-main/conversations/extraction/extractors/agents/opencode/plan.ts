import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { PlanSource } from '../../../../../contract/chat/progress.ts';
import { boxOf, planInRows } from '../../planRows.ts';
import { blockLines, type Piece } from './pieces.ts';

/** Columns beside the text of a block: its margin and bar, and the padding at its right. */
const FRAME_COLS = 5;
const HEAD = /^\s*# Todos\s*$/;
/** A cancelled item has the box of an open one. */
const BOXES = { '[✓]': 'done', '[•]': 'active', '[ ]': 'open' } as const;

/**
 * The last list on the screen that is visible from its head to the empty row below it; of one whose head has scrolled away only its end.
 */
export function planOf({ rows, cols, seams = [] }: ChatSnapshot, pieces: readonly Piece[]): PlanSource | null {
  for (const piece of pieces.toReversed()) {
    if (piece.kind !== 'blockCall') continue;
    const lines = blockLines(rows.slice(piece.from, piece.to));
    const head = lines.findIndex((line) => line.trim() !== '');
    const isCut = boxOf(lines[head] ?? '', BOXES) !== null;
    if (!isCut && !HEAD.test(lines[head] ?? '')) continue;
    if (lines.at(-1)?.trim() !== '') return null;
    const own = lines.slice(isCut ? head : head + 1).map((text) => ({ text }));
    const plan = planInRows(own, { boxes: BOXES, cols: cols - FRAME_COLS });
    const isPart = plan?.isPart === true || seams.some((at) => at > piece.from && at < piece.to);
    return plan && { ...plan, isPart, ...(isCut && { isCut }) };
  }
  return null;
}
