import type { ChatChange, ChatDelta, ChatMessage, Conversation } from '../../contract/chat/chat.ts';

/**
 * Encodes changes for one subscriber: a message that it already has becomes a delta, and an unchanged conversation is not sent. Otherwise
 * a streaming answer of 50 KB would be sent hundreds of times.
 */
export class ChatDeltaSender {
  /** The last version that was sent of each unfinished message: its text, and all other fields as JSON, so that later mutations cannot hide a change. */
  readonly #sent = new Map<string, { text: string; rest: string }>();
  readonly #conversations = new Map<string, string>();

  /** Returns null if there is nothing to send. */
  next(change: ChatChange): ChatDelta | null {
    if (change.type === 'conversation') return this.#isNews(change.conversation) ? change : null;
    if (change.type !== 'message') return change;
    const { text, ...rest } = change.message;
    const { id, final } = change.message;
    const before = this.#sent.get(id);
    const now = { text, rest: JSON.stringify(rest) };
    if (final) this.#sent.delete(id);
    else this.#sent.set(id, now);
    if (!before) return change;
    const at = commonLength(before.text, text);
    return { type: 'delta', id, at, text: text.slice(at), ...(now.rest !== before.rest && { rest }) };
  }

  #isNews(conversation: Conversation): boolean {
    const now = JSON.stringify(conversation);
    if (this.#conversations.get(conversation.id) === now) return false;
    this.#conversations.set(conversation.id, now);
    return true;
  }
}

/** Decodes the deltas of one subscription, from its first value on, into whole messages. */
export class ChatDeltaReader {
  readonly #known = new Map<string, ChatMessage>();

  /** Throws for a delta of an unknown message, which means that changes were lost. */
  next(delta: ChatDelta): ChatChange {
    if (delta.type === 'message') return this.#keep(delta.message);
    if (delta.type !== 'delta') return delta;
    const before = this.#known.get(delta.id);
    if (!before) throw new Error(`a change of the message "${delta.id}" came before the message`);
    return this.#keep({ ...(delta.rest ?? before), text: before.text.slice(0, delta.at) + delta.text });
  }

  #keep(message: ChatMessage): ChatChange {
    if (message.final) this.#known.delete(message.id);
    else this.#known.set(message.id, message);
    return { type: 'message', message };
  }
}

/** Length of the common beginning in UTF-16 units. */
function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}
