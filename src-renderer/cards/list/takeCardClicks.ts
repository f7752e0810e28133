import type { Attachment } from 'svelte/attachments';
import type { Block } from '../../../src-main/contract/block.ts';
import { isLeftScreen } from './BlockList.svelte.ts';
import type { BlockPane } from './BlockPane.svelte.ts';

/** Clicks on the head of a card, beside its buttons. One listener for all: ten thousand cards fly by. */
export function takeCardClicks(pane: BlockPane): Attachment<HTMLElement> {
  return (list) => {
    const onClick = (event: MouseEvent) => {
      const { target } = event;
      if (!(target instanceof Element) || target.closest('button, a') !== null) return;
      const block = pane.list.get(target.closest<HTMLElement>('[data-flow]')?.dataset.flow ?? '');
      if (!block || target.closest('header') === null || String(getSelection()) !== '') return;
      clickHead(pane, block);
    };
    list.addEventListener('click', onClick);
    return () => list.removeEventListener('click', onClick);
  };
}

/** A head that is stuck at the top leads to where its card begins; the one line of a full-screen program opens it, or folds it again. */
function clickHead({ flow, list }: BlockPane, block: Block): void {
  if (flow.stuckKey === block.id) {
    flow.unpin();
    flow.elementOf(block.id)?.scrollIntoView({ block: 'start' });
  } else if (isLeftScreen(block)) void flow.steady(block.id, () => list.setFolded(block.id, !list.isFolded(block)));
}
