import type { ChatEvent, ChatLine, ChatMessage } from '../../contract/chat/chat.ts';

export interface ChatPageQuery {
  conversationId: string;
  beforeOrder?: number | undefined;
  limit: number;
}

export interface ChatPage {
  /** Ascending by order. */
  messages: ChatMessage[];
  events: ChatEvent[];
  /** There are earlier messages. */
  more: boolean;
}

/** Returns the conversation's last `limit` messages before `beforeOrder`, with the events among them. `lines` must be in order. */
export function paginate(lines: readonly ChatLine[], { conversationId, beforeOrder, limit }: ChatPageQuery): ChatPage {
  const own = lines.filter(
    (line) => line.conversationId === conversationId && (beforeOrder === undefined || line.order < beforeOrder),
  );
  const all = own.filter((line) => 'kind' in line);
  const messages = all.slice(-limit);
  const more = messages.length < all.length;
  const first = more ? (messages[0]?.order ?? 0) : Number.NEGATIVE_INFINITY;
  return { messages, events: own.filter((line) => 'type' in line).filter(({ order }) => order >= first), more };
}
