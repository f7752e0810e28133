import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { coreNowMs } from '../app/clock.svelte.ts';
import { strings } from '../app/strings.ts';
import type { ConversationView } from './ConversationView.svelte.ts';
import { registerChatActions } from './message/chatActions.ts';

const TICK_MS = 60_000;

/** Connects a view with everything outside of Svelte while it is shown: changes, actions, the focus, the clock. */
export function attachChat(view: ConversationView): Attachment<HTMLElement> {
  return () => {
    const { app, log } = view;
    const stops = untrack(() => {
      const clock = setInterval(() => {
        view.nowMs = coreNowMs();
      }, TICK_MS);
      return [app.chats.read((change) => log.apply(change)), registerChatActions(view), () => clearInterval(clock)];
    });
    let epoch = -1;
    $effect(() => {
      if (app.link.epoch === epoch) return;
      epoch = app.link.epoch; // no changes arrived while the connection was lost
      untrack(() => void log.reload());
    });
    $effect(() => {
      if (!app.chats.wantsKeys || app.chats.partOf(view.conversation) !== 'messages' || !log.isKnown) return;
      app.chats.wantsKeys = false;
      untrack(() => void takeKeys(view));
    });
    $effect(() => {
      const { wanted } = app.chats;
      if (wanted?.conversationId !== log.id || !log.isKnown) return;
      app.chats.wanted = null;
      app.chats.part = 'messages';
      untrack(() => void showMessage(view, wanted.messageId));
    });
    return () => {
      for (const stop of stops) stop();
      view.dispose();
    };
  };
}

/** Shows a message from outside of this view; it may be older than the loaded ones. */
async function showMessage(view: ConversationView, id: string): Promise<void> {
  const keyOf = () =>
    view.log.items.find(
      (item) => item.key === id || (item.type === 'said' && item.results.some((result) => result.id === id)),
    )?.key; // a tool's result is part of the item of its call
  if (keyOf() === undefined) await view.log.loadAll();
  const key = keyOf();
  if (key === undefined) return view.app.notices.say(strings.conversation.messageGone);
  if (!view.items.some((item) => item.key === key)) view.filter = 'all';
  view.unfolded.add(key);
  await view.focusItem(key);
}

async function takeKeys(view: ConversationView): Promise<void> {
  view.flow.scroller?.focus({ preventScroll: true }); // at once, because the next key is for the conversation
  if (view.cursor) await view.focusItem(view.cursor.key);
}
