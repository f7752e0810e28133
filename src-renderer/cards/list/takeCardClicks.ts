import type { Attachment } from 'svelte/attachments';
import type { Block } from '../../../src-main/contract/block.ts';
import { isLeftScreen } from './BlockList.svelte.ts';
import type { BlockPane } from './BlockPane.svelte.ts';

/** Width of the rail left of the text of every card. */
const RAIL_PX = 42;

/** Handles clicks on the head of a card, beside its buttons. One listener for all cards, because a list may have ten thousand. */
export function takeCardClicks(pane: BlockPane): Attachment<HTMLElement> {
  return (list) => {
    const onClick = (event: MouseEvent) => {
      const { target } = event;
      if (!(target instanceof Element) || target.closest('button, a') !== null) return;
      const block = pane.list.get(target.closest<HTMLElement>('[data-flow]')?.dataset.flow ?? '');
      if (!block) return;
      if (isSelecting(event)) {
        select(pane, block, event.shiftKey);
        event.stopPropagation(); // the focus stays in the card
        return;
      }
      if (String(getSelection()) !== '') return;
      pane.selected.clear();
      if (target.closest('header') !== null) clickHead(pane, block);
    };
    const onMousedown = (event: MouseEvent) => isSelecting(event) && event.preventDefault(); // selects cards, not text
    list.addEventListener('mousedown', onMousedown);
    list.addEventListener('click', onClick);
    return () => {
      list.removeEventListener('mousedown', onMousedown);
      list.removeEventListener('click', onClick);
    };
  };
}

/** A click with a modifier, on the head of a card or on the rail beside its output. */
function isSelecting({ target, button, clientX, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  if (button !== 0 || !(ctrlKey || metaKey || shiftKey) || !(target instanceof Element)) return false;
  const card = target.closest('.card');
  if (!card || target.closest('button, a, input')) return false;
  return target.closest('header') !== null || clientX - card.getBoundingClientRect().left < RAIL_PX;
}

function select(pane: BlockPane, block: Block, isRange: boolean): void {
  if (isRange) pane.selected.extendTo(block.id);
  else pane.selected.toggle(block.id);
  void pane.choose(block);
}

/** A click on a sticky head scrolls to the start of its card. A click on the one line of a full-screen program unfolds or folds it. */
function clickHead({ flow, list }: BlockPane, block: Block): void {
  if (flow.stuckKey === block.id) {
    flow.unpin();
    flow.elementOf(block.id)?.scrollIntoView({ block: 'start' });
  } else if (isLeftScreen(block)) void flow.steady(block.id, () => list.setFolded(block.id, !list.isFolded(block)));
}
