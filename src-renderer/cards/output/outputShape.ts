import type { Block } from '../../../src-main/contract/block.ts';
import { isCutInCard } from '../../../src-main/contract/screen/cardLines.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';

/** Lines of a collapsed long output. The end gets more, because programs report their result there. */
export const HEAD_LINES = 6;
export const TAIL_LINES = 12;
/** Above this many lines an expanded output is drawn in rows of one height, without wrapping. */
export const WRAP_LINES = 200_000;

/** The lines that a card draws. `hidden`: lines behind the rule between head and tail. */
export type OutputShape =
  | { kind: 'none' }
  | { kind: 'all'; lines: number }
  | { kind: 'ends'; head: number; tail: number; hidden: number; lines: number }
  /** Draws only the visible part; `wraps`: long lines wrap. */
  | { kind: 'window'; lines: number; wraps: boolean };

/** How an output is shown. */
export interface ShapeView {
  isExpanded: boolean;
  /** The text is the last screen of a full-screen program. */
  isScreen: boolean;
  /** Lines that fit into the view. */
  viewLines: number;
}

export function outputShape(lines: number, { isExpanded, isScreen, viewLines }: ShapeView): OutputShape {
  if (lines <= 0) return { kind: 'none' };
  if (!isCutInCard(lines, isScreen, viewLines)) return { kind: 'all', lines };
  if (isExpanded) return { kind: 'window', lines, wraps: lines <= WRAP_LINES };
  return { kind: 'ends', head: HEAD_LINES, tail: TAIL_LINES, hidden: lines - HEAD_LINES - TAIL_LINES, lines };
}

/** Whether line `n` of a collapsed output is behind the rule. */
export function isHiddenLine(n: number, lines: number, view: Omit<ShapeView, 'isExpanded'>): boolean {
  const shape = outputShape(lines, { ...view, isExpanded: false });
  return shape.kind === 'ends' && n >= shape.head && n < lines - shape.tail;
}

/**
 * Heights of a card's parts, to estimate a card that was never drawn. Px, borders included; must match `BlockCard.svelte`, `CardHead.svelte`,
 * `Rule.svelte` and `ListDivider.svelte`.
 */
export const CARD_PX = { rule: 24, folded: 27, divider: 34 };
type Density = Settings['cards.density'];
const DENSITY_PX: Readonly<Record<Density, { head: number; bodyEnd: number }>> = {
  comfortable: { head: 42, bodyEnd: 12 },
  compact: { head: 31, bodyEnd: 6 },
};

/** Settings that change the height of every card of the list. */
export interface CardLook {
  rowPx: number;
  viewLines: number;
  density: Density;
}

/** Estimated height of a card, from its counters. Wrapped lines and commands of several rows make it taller. */
export function estimateCardPx(
  block: Pick<Block, 'outputLines' | 'usedAltScreen'>,
  isFolded: boolean,
  { rowPx, viewLines, density }: CardLook,
): number {
  const { head, bodyEnd } = DENSITY_PX[density];
  const isScreen = block.usedAltScreen;
  if (isFolded) return head + (block.outputLines > 0 && !isScreen ? CARD_PX.folded : 0);
  const shape = outputShape(block.outputLines, { isExpanded: false, isScreen, viewLines });
  return head + shapePx(shape, rowPx) + bodyEnd;
}

/** Height of a shape's lines if they do not wrap. */
export function shapePx(shape: OutputShape, rowPx: number): number {
  if (shape.kind === 'none') return 0;
  if (shape.kind === 'ends') return (shape.head + shape.tail) * rowPx + CARD_PX.rule;
  return shape.lines * rowPx;
}
