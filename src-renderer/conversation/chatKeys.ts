import type { Attachment } from 'svelte/attachments';
import type { ConversationView } from './ConversationView.svelte.ts';
import { runChatAction } from './message/chatActions.ts';

type Key = (view: ConversationView) => unknown;

/**
 * Keys of the list while a turn has the focus by key: after a click, typed text is for the prompt. A button within a turn keeps its own Enter and
 * Space.
 */
const KEYS: Readonly<Record<string, Key>> = {
  ArrowUp: (view) => view.walkTurns(-1),
  ArrowDown: (view) => view.walkTurns(1),
  End: (view) => view.toEnd(),
  Home: (view) => runChatAction(view, 'chat.first'),
  Enter: (view) => view.cursor && view.toggle(view.cursor.key),
  ' ': (view) => view.cursor && view.toggle(view.cursor.key),
  c: (view) => runChatAction(view, 'chat.copyTurn'),
  t: (view) => runChatAction(view, 'chat.toCard'),
  '/': (view) => runChatAction(view, 'chat.find'),
};

/** Attachment for the scrolling element. */
export function chatKeys(view: ConversationView): Attachment<HTMLElement> {
  return (scroller) => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      const isItem = (target.dataset.flow !== undefined || target === scroller) && isChosen(target, event.key);
      const run = isItem ? KEYS[event.key] : undefined;
      if (!run) return;
      event.preventDefault();
      run(view);
    };
    scroller.addEventListener('keydown', onKey);
    return () => scroller.removeEventListener('keydown', onKey);
  };
}

function isChosen(target: HTMLElement, key: string): boolean {
  return key.length > 1 || target.matches(':focus-visible');
}
