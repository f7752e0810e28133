import type { FlowHeights } from './flowHeights.ts';

export interface FlowItem {
  key: string;
}

/** A part of the column: an item, or the height of items that are not drawn. */
export type FlowSlot<T> =
  | { type: 'item'; key: string; item: T; at: number }
  | { type: 'space'; key: string; px: number };

/**
 * The drawn part of a column: the items from `first` up to `last`, also the item `kept` if it comes later, and the heights of all others between
 * them.
 * All are indices; `kept` is -1 if there is none.
 */
export function slotsOf<T extends FlowItem>(
  items: readonly T[],
  heights: FlowHeights,
  { first, last, kept }: { first: number; last: number; kept: number },
): FlowSlot<T>[] {
  const slots: FlowSlot<T>[] = [{ type: 'space', key: 'space-before', px: heights.offset(first) }];
  for (let at = first; at < last; at += 1) {
    const item = items[at];
    if (item) slots.push({ type: 'item', key: item.key, item, at });
  }
  const far = kept >= last ? items[kept] : undefined;
  if (far) {
    slots.push({ type: 'space', key: 'space-between', px: heights.offset(kept) - heights.offset(last) });
    slots.push({ type: 'item', key: far.key, item: far, at: kept });
  }
  slots.push({ type: 'space', key: 'space-after', px: heights.totalPx - heights.offset(far ? kept + 1 : last) });
  return slots;
}
