import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { isInChat, showsChat } from '../conversation/chatPlace.ts';
import { enterChat } from '../conversation/conversationActions.ts';
import type { Stop } from '../rpc/Rpc.ts';

export function registerChangesActions(app: AppState): Stop {
  return app.palette.register({
    id: 'changes.show',
    title: strings.changes.action,
    group: strings.app.groups.conversation,
    keys: 'Mod+Shift+G',
    when: () => app.agents.isOpen || app.terminals.active !== undefined,
    run: () => showChanges(app),
  });
}

/** Switches between changes and conversation. If the focus is outside of the panel, it moves there. */
function showChanges(app: AppState): void {
  const { chats } = app;
  const isThere = (app.agents.isOpen || (showsChat(app) && isInChat())) && chats.part === 'changes';
  chats.part = isThere ? 'messages' : 'changes';
  if (!app.agents.isOpen) enterChat(app);
}
