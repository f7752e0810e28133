import type { ChatChange, ChatDelta, ChatMessage, Conversation } from '../../contract/chat/chat.ts';

/**
 * Turns changes into what one subscriber is sent: of a message that it has, only what is different, and no conversation that is as it was. An
 * answer of 50 KB that streams would go over the line hundreds of times otherwise.
 */
export class ChatDeltaSender {
  /** What was sent of each message that still changes: its text, and the rest as JSON, which nobody can change afterwards. */
  readonly #sent = new Map<string, { text: string; rest: string }>();
  readonly #conversations = new Map<string, string>();

  /** Null when there is nothing to send. */
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

/** The other end: gives whole messages again. Of one subscription, from its beginning on. */
export class ChatDeltaReader {
  readonly #known = new Map<string, ChatMessage>();

  /** Throws for a difference to a message that never came: changes were lost. */
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

/** How many units both begin with. */
function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}
