import type { ChatEvent, ChatLine, ChatMessage } from '../../../contract/chat/chat.ts';

/** The lines of one terminal's chat.jsonl: the last version of each message, in order, and the events. */
export class ChatLog {
  readonly #byId = new Map<string, ChatMessage>();
  readonly #messages: ChatMessage[] = [];
  readonly #events: ChatEvent[] = [];
  readonly #eventAt = new Map<string, number>();
  #lastOrder = 0;

  /** In their order in the log. */
  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  /** In the order in which they happened. */
  get events(): readonly ChatEvent[] {
    return this.#events;
  }

  /** Returns the next order at the end of the log; each call returns a new one. */
  nextOrder(): number {
    this.#lastOrder = Math.floor(this.#lastOrder) + 1;
    return this.#lastOrder;
  }

  get(id: string): ChatMessage | undefined {
    return this.#byId.get(id);
  }

  /** Adds a line, or replaces the one with its id. */
  put(line: ChatLine): void {
    this.#lastOrder = Math.max(this.#lastOrder, line.order);
    if (!('kind' in line)) {
      const at = this.#eventAt.get(line.id) ?? this.#events.length;
      this.#eventAt.set(line.id, at);
      this.#events[at] = line;
      return;
    }
    const known = this.#byId.get(line.id);
    this.#byId.set(line.id, line);
    const at = known ? this.#indexOf(known.order) : -1;
    if (at >= 0 && known?.order === line.order) this.#messages[at] = line;
    else {
      if (at >= 0) this.#messages.splice(at, 1);
      this.#messages.splice(this.#indexOf(line.order), 0, line);
    }
  }

  /** Messages after `order`, in order. */
  after(order: number): ChatMessage[] {
    return this.#messages.slice(this.#indexOf(order, true));
  }

  /** Removes the messages and events before `order`. */
  forgetBefore(order: number): void {
    for (const { id } of this.#messages.splice(0, this.#indexOf(order))) this.#byId.delete(id);
    const kept = this.#events.filter((event) => event.order >= order);
    this.#events.splice(0, this.#events.length, ...kept);
    this.#eventAt.clear();
    for (const [at, { id }] of kept.entries()) this.#eventAt.set(id, at);
  }

  /** Index of the first message at or after `order`; with `isBehind`, after it. */
  #indexOf(order: number, isBehind = false): number {
    let from = 0;
    let to = this.#messages.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const own = this.#messages[middle]?.order ?? 0;
      if (own < order || (isBehind && own === order)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
