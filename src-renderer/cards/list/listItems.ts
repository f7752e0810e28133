import type { Divider } from '../../../src-main/contract/api.ts';
import type { Block } from '../../../src-main/contract/block.ts';

/** Items of the list, from the oldest at the top to the newest. */
export type ListItem = { type: 'card'; key: string; block: Block } | { type: 'divider'; key: string; divider: Divider };

/**
 * Cards in the order of their seq, with the dividers between them. A divider from before the oldest loaded card waits until its neighbours are
 * loaded. Of two dividers of one kind without a card between them, only the later is listed: pressing Ctrl+L ten times draws one line.
 */
export function listItems(blocks: readonly Block[], dividers: readonly Divider[], hasOlder: boolean): ListItem[] {
  const oldest = blocks[0]?.seq ?? 0;
  const bySeq = new Map<number, Divider[]>();
  for (const divider of dividers) {
    const isLoaded = !hasOlder || divider.afterSeq >= oldest;
    if (!isLoaded) continue;
    const beside = bySeq.get(divider.afterSeq) ?? [];
    const others = beside.filter(({ kind }) => kind !== divider.kind || kind === 'gap');
    bySeq.set(
      divider.afterSeq,
      [...others, divider].sort((a, b) => a.atMs - b.atMs),
    );
  }
  const items: ListItem[] = [];
  const keys = new Set<string>();
  const afterSeqs = [...bySeq.keys()].sort((a, b) => a - b);
  let next = 0;
  const flush = (belowSeq: number) => {
    for (let seq = afterSeqs[next]; seq !== undefined && seq < belowSeq; seq = afterSeqs[next]) {
      for (const divider of bySeq.get(seq) ?? []) {
        const item = dividerItem(divider);
        if (!keys.has(item.key)) items.push(item);
        keys.add(item.key); // the list draws each key once
      }
      next += 1;
    }
  };
  for (const block of blocks) {
    flush(block.seq);
    items.push({ type: 'card', key: block.id, block });
  }
  flush(Number.POSITIVE_INFINITY);
  return items;
}

function dividerItem(divider: Divider): ListItem {
  // No id of a block has a colon
  return { type: 'divider', key: `${divider.kind}:${divider.afterSeq}:${divider.atMs}`, divider };
}
