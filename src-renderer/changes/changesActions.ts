import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { isInChat, showsChat } from '../conversation/chatPlace.ts';
import { enterChat } from '../conversation/conversationActions.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { guard } from '../tabs/tabActions.ts';

export function registerChangesActions(app: AppState): Stop {
  const group = strings.app.groups.conversation;
  return app.palette.register(
    {
      ...{ id: 'changes.show', title: strings.changes.action, group, keys: 'Mod+Shift+G' },
      when: () => app.agents.isOpen || app.terminals.active !== undefined,
      run: () => showChanges(app),
    },
    {
      ...{ id: 'changes.compare', title: strings.changes.compare.action, group },
      when: () => app.terminals.shown.length > 1,
      run: () => guard(app, compareChanges(app)),
    },
  );
}

/** Shows the changes of the newest conversation of each pane side by side, in the order of the panes. */
export async function compareChanges({ chats, notices, rpc, terminals }: AppState): Promise<void> {
  const lists = await Promise.all(terminals.shown.map(({ id }) => rpc.chat.list({ terminalId: id, limit: 1 })));
  const compared = lists.flat();
  if (compared.length < 2) notices.say(strings.changes.compare.tooFew);
  else chats.compared = compared;
}

/** Switches between changes and conversation. If the focus is outside of the panel, it moves there. */
function showChanges(app: AppState): void {
  const { chats } = app;
  const isThere = (app.agents.isOpen || (showsChat(app) && isInChat())) && chats.part === 'changes';
  chats.part = isThere ? 'messages' : 'changes';
  if (!app.agents.isOpen) enterChat(app);
}
