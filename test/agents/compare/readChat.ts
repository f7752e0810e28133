import type { ChatEvent, ChatLine, ChatMessage } from '../../../src-main/contract/chat/chat.ts';

export interface ReadConversation {
  readonly id: string;
  readonly agent: string;
  readonly isAfterClear: boolean;
  readonly resumeId?: string;
  readonly messages: ChatMessage[];
}

/** The recorded conversations of a terminal, with times in ms since the start of the recording. */
export interface ReadChat {
  readonly conversations: ReadConversation[];
  readonly states: { readonly atMs: number; readonly state: string }[];
}

/** Folds the lines of a chat.jsonl: later lines replace earlier ones with the same id. */
export function readChat(lines: readonly ChatLine[], startMs: number): ReadChat {
  const byId = new Map<string, ChatMessage>();
  const events = new Map<string, ChatEvent>();
  for (const line of lines) {
    if ('kind' in line) byId.set(line.id, line);
    else events.set(line.id, line);
  }
  const messages = [...byId.values()].sort((a, b) => a.order - b.order);
  const begun = [...events.values()].filter(({ type }) => type === 'cli:newSession' || type === 'cli:clear');
  const conversations = [...new Set([...begun, ...messages].map(({ conversationId }) => conversationId))];
  return {
    conversations: conversations.map((id) => {
      const own = begun.filter(({ conversationId }) => conversationId === id);
      // Figures of the last turn may come from the agent log after the exit.
      const ends = [...events.values()].filter((event) => event.conversationId === id && event.type === 'cli:exit');
      const resumeId = ends.at(-1)?.resumeId;
      return {
        id,
        agent: own.find(({ agent }) => agent)?.agent ?? '',
        isAfterClear: own.some(({ parentId }) => parentId !== undefined),
        ...(resumeId !== undefined && { resumeId }),
        messages: messages.filter(({ conversationId }) => conversationId === id),
      };
    }),
    states: [...events.values()].flatMap(({ type, state, atMs }) => {
      if (type === 'cli:exit') return [{ atMs: atMs - startMs, state: 'exited' }];
      return type === 'stateChanged' && state ? [{ atMs: atMs - startMs, state }] : [];
    }),
  };
}
