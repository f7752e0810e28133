import type { Block } from '../../src-main/contract/block.ts';

/** Up to this many lines a card shows everything: a rule that hides three lines costs more room than it saves. */
export const SHOW_ALL_LINES = 30;
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

export function outputShape(lines: number, isExpanded: boolean): OutputShape {
  if (lines <= 0) return { kind: 'none' };
  if (lines <= SHOW_ALL_LINES) return { kind: 'all', lines };
  if (isExpanded) return { kind: 'window', lines, wraps: lines <= WRAP_LINES };
  return { kind: 'ends', head: HEAD_LINES, tail: TAIL_LINES, hidden: lines - HEAD_LINES - TAIL_LINES, lines };
}

/** Whether line `n` of a collapsed output is behind the rule. */
export function isHiddenLine(lines: number, n: number): boolean {
  return lines > SHOW_ALL_LINES && n >= HEAD_LINES && n < lines - TAIL_LINES;
}

/** Heights of a card's parts, for the estimate of one that was never drawn. Px; `BlockCard.svelte` sets the same. */
export const CARD_PX = { head: 50, rule: 24, bodyEnd: 12, divider: 34 };

/** How tall a card will be, as far as its counters tell. Wrapped lines and commands of several lines make it taller. */
export function estimateCardPx(block: Pick<Block, 'outputLines'>, isFolded: boolean, rowPx: number): number {
  const shape = outputShape(block.outputLines, false);
  if (isFolded || shape.kind === 'none') return CARD_PX.head;
  if (shape.kind === 'ends') return CARD_PX.head + (shape.head + shape.tail) * rowPx + CARD_PX.rule + CARD_PX.bodyEnd;
  return CARD_PX.head + shape.lines * rowPx + CARD_PX.bodyEnd;
}
