import type { ChatSnapshot } from '../../../../../contract/chat/extractor.ts';
import type { PlanSource } from '../../../../../contract/chat/progress.ts';
import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import { planInRows } from '../../planRows.ts';
import type { Piece } from './pieces.ts';

const HEAD = /^• Updated Plan\s*$/;
/** Drawn in place of items. */
const NO_ITEMS = /^ {4}\(no steps provided\)$/;
const BOXES = { '✔': 'done', '□': 'open' } as const;

/**
 * The last plan on the screen, or the end of one without its head. The active step has the box of an open step and is bold; the remark is in
 * italics.
 */
export function planOf({ rows, cols, seams = [] }: ChatSnapshot, pieces: readonly Piece[]): PlanSource | null {
  const piece = pieces.findLast(({ kind, from }) => kind === 'call' && HEAD.test(rows[from]?.text ?? ''));
  const below = [0, ...seams].filter((at) => at > (piece?.to ?? -1));
  const cut = below.map((at) => cutAt(rows.slice(at), cols)).findLast((plan) => plan !== null);
  if (cut || !piece) return cut ?? null;
  const whole = planIn(rows, piece, cols);
  return whole && seams.some((at) => at > piece.from && at < piece.to) ? { ...whole, isPart: true } : whole;
}

/** The end of a list in the first rows; null if they are of something else. */
function cutAt(rows: readonly FrameRow[], cols: number): PlanSource | null {
  const to = rows.findIndex(({ text }) => !/^ {4,}\S/.test(text));
  const lines = rows.slice(0, Math.max(0, to)).map((row) => ({ text: lineOf(row), isActive: isActive(row) }));
  const plan = planInRows(lines, { boxes: BOXES, cols });
  return plan && { ...plan, isCut: true };
}

function planIn(rows: readonly FrameRow[], piece: Piece, cols: number): PlanSource | null {
  const own = rows.slice(piece.from + 1, piece.to);
  if (NO_ITEMS.test(lineOf(own.at(-1)))) return { items: [], isPart: false };
  const lines = own
    .filter(({ spans }) => !spans.some(({ italic, text }) => italic === true && text.trim() !== ''))
    .map((row) => ({ text: lineOf(row), isActive: isActive(row) }));
  return planInRows(lines, { boxes: BOXES, cols });
}

function isActive({ spans }: FrameRow): boolean {
  return spans.some((span) => span.bold === true && span.text.includes('□'));
}

/** A row without the branch from the head. */
function lineOf(row: FrameRow | undefined): string {
  return (row?.text ?? '').replace(/^ {2}[└⎿]/, '   ').trimEnd();
}
