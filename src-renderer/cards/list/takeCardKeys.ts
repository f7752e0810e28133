import type { Attachment } from 'svelte/attachments';
import type { BlockPane } from './BlockPane.svelte.ts';

/** Buttons in a card. Its filter is a form of its own, and a running program takes all keys. */
const CONTROLS = 'button:not([data-keys] *, search *)';

/**
 * Each card is one Tab stop: → moves to its buttons, ← → walk them, Escape returns to the card; ↑ ↓ move to the card above or below and enter
 * card mode. Tab is handled here too, because the next card may not be drawn, and because the list is entered at the current card. One listener
 * serves all cards. The keys of card mode's actions are handled before.
 */
export function takeCardKeys(pane: BlockPane): Attachment<HTMLElement> {
  return (list) => {
    const onKeydown = (event: KeyboardEvent) => {
      const isBack = event.shiftKey && event.key === 'Tab';
      if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && !isBack)) return;
      if (!(event.target instanceof HTMLElement)) return;
      const card = event.target.closest<HTMLElement>('.card');
      if (!card || !(event.target === card || event.target.matches(CONTROLS))) return;
      if (!move(pane, { card, from: event.target, key: isBack ? 'Shift+Tab' : event.key })) return;
      event.preventDefault();
      event.stopPropagation();
    };
    list.addEventListener('keydown', onKeydown);
    return () => list.removeEventListener('keydown', onKeydown);
  };
}

/** Returns false when the key has no meaning there. */
function move(pane: BlockPane, { card, from, key }: { card: HTMLElement; from: HTMLElement; key: string }): boolean {
  const stops = [card, ...card.querySelectorAll<HTMLElement>(CONTROLS)];
  const at = stops.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return focus(stops[at + 1]);
    case 'ArrowLeft':
      return focus(stops[at - 1]);
    case 'Home':
      return at > 0 && focus(stops[1]);
    case 'End':
      return at > 0 && focus(stops.at(-1));
    case 'Escape':
      return at > 0 && focus(card);
    case 'ArrowUp':
    case 'ArrowDown': {
      pane.list.cursorId = card.dataset.flow ?? pane.list.cursorId;
      const block = pane.list.walk(key === 'ArrowUp' ? -1 : 1);
      if (block) void pane.choose(block);
      return true;
    }
    case 'Tab':
      return tab(pane, card, 1);
    case 'Shift+Tab':
      return at > 0 ? focus(card) : tab(pane, card, -1);
    default:
      return false;
  }
}

/** Beyond the first and the last card, Tab leaves the list. */
function tab(pane: BlockPane, card: HTMLElement, by: 1 | -1): boolean {
  const { list, flow } = pane;
  list.cursorId = card.dataset.flow ?? list.cursorId;
  const next = list.walk(by);
  if (!next || next.id === card.dataset.flow) return false;
  focus(flow.elementOf(next.id)); // at once if it is drawn, because the next key is for it
  void pane.focusCard(next.id);
  return true;
}

function focus(stop: HTMLElement | undefined): boolean {
  stop?.focus({ preventScroll: true });
  return stop !== undefined;
}
