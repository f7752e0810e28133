import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { isInChat, showsChat } from '../conversation/chatPlace.ts';
import { enterChat } from '../conversation/conversationActions.ts';
import { leavesOf } from '../panes/paneTree.ts';
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
      when: () => panesBeside(app, app.terminals.activeId).length > 1,
      run: () => guard(app, compareChanges(app, app.terminals.activeId)),
    },
  );
}

/** The terminals of all panes of the tab that has this one, in their order. */
export function panesBeside({ terminals }: AppState, terminalId: string | null): readonly string[] {
  return terminalId === null ? [] : leavesOf(terminals.panes.treeOf(terminalId));
}

/** Shows the changes of the newest conversation of each pane side by side. */
export async function compareChanges(app: AppState, terminalId: string | null): Promise<void> {
  const { chats, notices, rpc } = app;
  const panes = panesBeside(app, terminalId);
  const compared = (await Promise.all(panes.map((id) => rpc.chat.list({ terminalId: id, limit: 1 })))).flat();
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
