import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { guard } from '../tabs/tabActions.ts';
import { isCoarse } from '../ui/touch/pointer.ts';
import { isInChat, showsChat } from './chatPlace.ts';

/** Registers the actions that show, hide and focus the conversation; chatActions.ts has the actions within one. */
export function registerConversationActions(app: AppState): Stop {
  const group = strings.app.groups.conversation;
  const hasTab = () => app.terminals.active !== undefined;
  return app.palette.register(
    {
      id: 'chat.toggle',
      title: strings.conversation.actions.toggle,
      group,
      keys: 'Mod+Shift+M',
      when: hasTab,
      run: () => toggleChat(app),
    },
    {
      id: 'chat.focus',
      title: strings.conversation.actions.focus,
      group,
      keys: 'Alt+Shift+C',
      when: hasTab,
      run: () => (isInChat() ? leaveChat(app) : enterChat(app)),
    },
  );
}

function toggleChat(app: AppState): void {
  if (!app.chats.hasRoom) {
    if (app.chats.isOverlaid) leaveChat(app);
    else enterChat(app);
    return;
  }
  if (showsChat(app)) {
    if (isInChat()) toTerminal(app);
    wantBeside(app, false);
  } else wantBeside(app, true);
}

/** For this tab only: the setting stays unchanged. */
function wantBeside(app: AppState, isOpen: boolean): void {
  const id = app.terminals.activeId;
  if (id === null) return;
  app.chats.want(id, isOpen);
  guard(app, app.rpc.workspace.setChat({ id, isOpen }));
}

/** Shows the conversation if it is hidden, and focuses it. */
export function enterChat(app: AppState): void {
  if (!app.chats.hasRoom) app.chats.isOverlaid = true;
  else if (!showsChat(app)) wantBeside(app, true);
  app.chats.wantsKeys = true;
}

/** Returns the focus to the tab; closes a conversation that covers the terminal. */
export function leaveChat(app: AppState): void {
  app.chats.isOverlaid = false;
  if (!isCoarse()) toTerminal(app);
}

export function toTerminal({ focus, terminals }: AppState): void {
  const { active } = terminals;
  if (!active) return;
  const isTaken = active.keysTo === 'program' ? focus.toSurface(active.id) : focus.toComposer(active.id);
  if (!isTaken) focus.toSurface(active.id);
}

/** Shows the conversation of a card. */
export function showConversationOf(app: AppState, blockId: string): void {
  const conversation = app.chats.ofBlock(blockId);
  if (!conversation) {
    app.notices.say(strings.conversation.notInCard);
    return;
  }
  app.chats.choose(conversation.id);
  enterChat(app);
}
