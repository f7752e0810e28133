import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { PlanSource } from '../../../../../contract/chat/progress.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { planInRows } from '../../planRows.ts';
import type { Piece } from './pieces.ts';

const HEAD = /^• Updated Plan\s*$/;
/** Drawn in place of items. */
const NO_ITEMS = /^ {4}\(no steps provided\)$/;
const BOXES = { '✔': 'done', '□': 'open' } as const;

/** The last plan on the screen. The active step has the box of an open step and is bold; the remark is in italics. */
export function planOf({ rows, cols }: ChatSnapshot, pieces: readonly Piece[]): PlanSource | null {
  const piece = pieces.findLast(({ kind, from }) => kind === 'call' && HEAD.test(rows[from]?.text ?? ''));
  if (!piece) return null;
  const own = rows.slice(piece.from + 1, piece.to);
  if (NO_ITEMS.test(lineOf(own.at(-1)))) return { items: [], isPart: false };
  const lines = own
    .filter(({ spans }) => !spans.some(({ italic, text }) => italic === true && text.trim() !== ''))
    .map((row) => ({
      text: lineOf(row),
      isActive: row.spans.some((span) => span.bold === true && span.text.includes('□')),
    }));
  return planInRows(lines, { boxes: BOXES, cols });
}

/** A row without the branch from the head. */
function lineOf(row: FrameRow | undefined): string {
  return (row?.text ?? '').replace(/^ {2}[└⎿]/, '   ').trimEnd();
}
