import type { AppState } from '../app/AppState.svelte.ts';

/** Whether the conversation is beside the terminal: there is room, and the person or the settings want it in this tab. */
export function standsBeside({ chats, settings, terminals }: AppState): boolean {
  if (!chats.hasRoom || !terminals.active) return false;
  const wanted = chats.isWanted(terminals.active.id);
  if (wanted !== undefined) return wanted;
  const show = settings.current['conversation.show'];
  return show === 'always' || (show === 'auto' && (chats.all.length > 0 || terminals.active.agent !== null));
}

/** Whether the conversation is visible, beside the terminal or over it. */
export function showsChat(app: AppState): boolean {
  if (app.agents.isOpen || app.agents.past.isOpen) return false; // those pages show the conversation selected there
  if (app.chats.naming !== null) return true; // the field with the person's text stays when the window gets narrow
  return app.chats.hasRoom ? standsBeside(app) : app.chats.isOverlaid;
}

/** Whether the focus is in the conversation. */
export function isInChat(): boolean {
  return document.activeElement?.closest('[data-chat]') != null;
}
