import type { PlanSource } from '../../../../../contract/chat/progress.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { planInRows } from '../../planRows.ts';
import type { Piece } from './pieces.ts';

const HEAD = /^• Updated Plan\s*$/;
const BOXES = { '✔': 'done', '□': 'open' } as const;

/** The last plan on the screen. The active step has the box of an open step and is bold. */
export function planOf(rows: readonly FrameRow[], pieces: readonly Piece[]): PlanSource | null {
  const piece = pieces.findLast(({ kind, from }) => kind === 'call' && HEAD.test(rows[from]?.text ?? ''));
  if (!piece) return null;
  const own = rows.slice(piece.from + 1, piece.to).map(({ text, spans }) => ({
    text: text.replace(/^ {2}[└⎿]/, '   ').trimEnd(),
    isActive: spans.some((span) => span.bold === true && span.text.includes('□')),
  }));
  return planInRows(own, BOXES);
}
