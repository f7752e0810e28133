import { strings } from '../../app/strings.ts';
import type { Stop } from '../../rpc/Rpc.ts';
import type { ConversationView } from '../ConversationView.svelte.ts';
import { toTerminal } from '../conversationActions.ts';

/** An action on the shown conversation, or on its current turn. */
export interface ChatAction {
  id: string;
  title: string;
  keys?: string;
  /** Listed in the conversation's own menu. */
  isOfAll?: true;
  run(view: ConversationView): Promise<void> | void;
}

export const CHAT_ACTIONS: readonly ChatAction[] = [
  {
    id: 'chat.find',
    title: strings.conversation.actions.find,
    keys: 'Alt+Shift+F',
    isOfAll: true,
    run: ({ find }) => find.open(),
  },
  {
    id: 'chat.name',
    title: strings.conversation.actions.name,
    isOfAll: true,
    run: ({ app, log }) => {
      app.chats.wantsKeys = false; // the field takes them
      app.chats.naming = log.id;
    },
  },
  { id: 'chat.copyAll', title: strings.conversation.actions.copyAll, isOfAll: true, run: copyAll },
  {
    id: 'chat.export',
    title: strings.conversation.actions.export,
    isOfAll: true,
    run: ({ app }) => {
      app.chats.isExporting = true;
    },
  },
  {
    id: 'chat.replay',
    title: strings.replay.actions.conversation,
    isOfAll: true,
    run: ({ app, ref }) => app.replays.open({ id: ref.terminalId, conversationId: ref.conversationId }),
  },
  { id: 'chat.toCard', title: strings.conversation.actions.toCard, isOfAll: true, run: toCard },
  { id: 'chat.copyTurn', title: strings.conversation.actions.copyTurn, run: copyTurn },
  {
    id: 'chat.previous',
    title: strings.conversation.actions.previous,
    keys: 'Alt+Shift+PageUp',
    run: (view) => view.walkTurns(-1),
  },
  {
    id: 'chat.next',
    title: strings.conversation.actions.next,
    keys: 'Alt+Shift+PageDown',
    run: (view) => view.walkTurns(1),
  },
  { id: 'chat.first', title: strings.conversation.actions.first, isOfAll: true, run: toFirst },
  { id: 'chat.last', title: strings.conversation.actions.last, run: (view) => view.toEnd() },
];

/** Shows a notice with the error when an action fails. */
export function runChatAction(view: ConversationView, id: string): void {
  const action = CHAT_ACTIONS.find((one) => one.id === id);
  if (!action) return;
  const failed = (error: unknown) => view.app.notices.fail(strings.app.namedActionFailed(action.title), error);
  Promise.resolve(action.run(view)).catch(failed);
}

export function registerChatActions(view: ConversationView): Stop {
  return view.app.palette.register(
    ...CHAT_ACTIONS.map(({ id, title, keys }) => ({
      id,
      title,
      group: strings.app.groups.conversation,
      ...(keys && { keys }),
      run: () => runChatAction(view, id),
    })),
  );
}

async function copyAll(view: ConversationView): Promise<void> {
  const read = view.app.rpc.chat.text(view.ref);
  await view.copy(
    read.then(({ text }) => text),
    strings.conversation.message.copiedConversation,
  );
}

async function copyTurn(view: ConversationView): Promise<void> {
  if (view.cursor?.type === 'said') await copyMessage(view, view.cursor.key);
}

export async function copyMessage(view: ConversationView, messageId: string): Promise<void> {
  const read = view.app.rpc.chat.text({ ...view.ref, messageId });
  await view.copy(
    read.then(({ text }) => text),
    strings.conversation.message.copiedTurn,
  );
}

/** Shows the card of the conversation, where a question is answered. */
export function toCard({ app, conversation }: ConversationView): void {
  app.chats.isOverlaid = false;
  const { blockId, terminalId } = conversation;
  if (blockId === null || !app.focus.toCard(terminalId, blockId)) toTerminal(app);
}

/** Focuses the live terminal, where an open question is answered. The conversation itself does not answer. */
export function toAnswer(view: ConversationView): void {
  const { app, conversation } = view;
  const terminal = app.terminals.byId(conversation.terminalId);
  if (!terminal?.isRunning) return toCard(view);
  app.chats.isOverlaid = false;
  terminal.keysTo = 'program';
  app.focus.follow(terminal.id);
  app.focus.toSurface(terminal.id);
}

async function toFirst(view: ConversationView): Promise<void> {
  await view.log.loadAll();
  const first = view.items[0];
  if (first) await view.focusItem(first.key);
}
