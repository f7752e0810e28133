import type { AppState } from '../app/AppState.svelte.ts';
import { enterChat } from './conversationActions.ts';

/** A message of a conversation, wherever it is. */
export interface MessagePlace {
  terminalId: string;
  conversationId: string;
  messageId: string;
}

/** Shows a message in the conversation of the tab that is shown, and gives it the keys. The tab must be the message's. */
export function openChatMessage(app: AppState, { terminalId, conversationId, messageId }: MessagePlace): void {
  if (app.chats.terminalId !== terminalId) app.chats.follow(terminalId);
  app.chats.choose(conversationId);
  app.chats.wanted = { conversationId, messageId };
  enterChat(app);
}
