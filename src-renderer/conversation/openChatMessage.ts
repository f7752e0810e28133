import type { AppState } from '../app/AppState.svelte.ts';
import { enterChat } from './conversationActions.ts';

/** Identifies a message of a conversation. */
export interface MessagePlace {
  terminalId: string;
  conversationId: string;
  messageId: string;
}

/** Shows a message in the conversation of the shown tab, and focuses it. The message must belong to that tab. */
export function openChatMessage(app: AppState, { terminalId, conversationId, messageId }: MessagePlace): void {
  if (app.chats.terminalId !== terminalId) app.chats.follow(terminalId);
  app.chats.choose(conversationId);
  app.chats.wanted = { conversationId, messageId };
  enterChat(app);
}
