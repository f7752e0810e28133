import type { Block } from '../../../src-main/contract/block.ts';
import { isCutInCard } from '../../../src-main/contract/screen/cardLines.ts';

/** What a long output shows of itself. The end is worth more: that is where a program says how it went. */
export const HEAD_LINES = 6;
export const TAIL_LINES = 12;
/** Above this many lines an expanded output is drawn in rows of one height, without wrapping. */
export const WRAP_LINES = 200_000;

/** Which lines a card draws. `hidden`: lines behind the rule between head and tail. */
export type OutputShape =
  | { kind: 'none' }
  | { kind: 'all'; lines: number }
  | { kind: 'ends'; head: number; tail: number; hidden: number; lines: number }
  /** Windowed; `wraps` says whether long lines go on in the next row. */
  | { kind: 'window'; lines: number; wraps: boolean };

/** `isScreen`: the text is the last screen of a full-screen program. */
export function outputShape(lines: number, isExpanded: boolean, isScreen = false): OutputShape {
  if (lines <= 0) return { kind: 'none' };
  if (!isCutInCard(lines, isScreen)) return { kind: 'all', lines };
  if (isExpanded) return { kind: 'window', lines, wraps: lines <= WRAP_LINES };
  return { kind: 'ends', head: HEAD_LINES, tail: TAIL_LINES, hidden: lines - HEAD_LINES - TAIL_LINES, lines };
}

/** Whether line `n` of a collapsed output is behind the rule. */
export function isHiddenLine(n: number, lines: number, isScreen = false): boolean {
  const shape = outputShape(lines, false, isScreen);
  return shape.kind === 'ends' && n >= shape.head && n < lines - shape.tail;
}

/**
 * Heights of a card's parts, for the estimate of one that was never drawn. Px, borders included; `BlockCard.svelte`,
 * `CardHead.svelte`, `Rule.svelte` and `ListDivider.svelte` set the same.
 */
export const CARD_PX = { head: 42, rule: 24, bodyEnd: 12, folded: 27, divider: 34 };

/** How tall a card will be, as far as its counters tell. Wrapped lines and commands of several rows make it taller. */
export function estimateCardPx(
  block: Pick<Block, 'outputLines' | 'usedAltScreen'>,
  isFolded: boolean,
  rowPx: number,
): number {
  if (isFolded) return CARD_PX.head + (block.outputLines > 0 ? CARD_PX.folded : 0);
  const shape = outputShape(block.outputLines, false, block.usedAltScreen);
  return CARD_PX.head + shapePx(shape, rowPx) + CARD_PX.bodyEnd;
}

/** Height of the lines of a shape, if none of them wraps. */
export function shapePx(shape: OutputShape, rowPx: number): number {
  if (shape.kind === 'none') return 0;
  if (shape.kind === 'ends') return (shape.head + shape.tail) * rowPx + CARD_PX.rule;
  return shape.lines * rowPx;
}
