import type { Attachment } from 'svelte/attachments';
import type { BlockPane } from './BlockPane.svelte.ts';

/** Buttons in a card. Its filter is a form of its own, and a running program takes all keys. */
const CONTROLS = 'button:not([data-keys] *, search *)';

/**
 * A card is one Tab stop: → moves to its buttons, ← → walk them, ↑ ↓ move to the card above or below, Escape returns to the card. One listener serves
 * all cards. The keys of card mode's actions are handled before.
 */
export function takeCardArrows(pane: BlockPane): Attachment<HTMLElement> {
  return (list) => {
    const onKeydown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(event.target instanceof HTMLElement))
        return;
      const card = event.target.closest<HTMLElement>('.card');
      if (!card || !(event.target === card || event.target.matches(CONTROLS))) return;
      if (!move(pane, { card, from: event.target, key: event.key })) return;
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
    default:
      return false;
  }
}

function focus(stop: HTMLElement | undefined): boolean {
  stop?.focus({ preventScroll: true });
  return stop !== undefined;
}
