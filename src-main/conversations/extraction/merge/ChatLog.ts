import type { ChatEvent, ChatLine, ChatMessage } from '../../../contract/chat/chat.ts';
import { answeredBy } from './answered.ts';
import type { Moment } from './Moment.ts';
import type { Named } from './updateMessage.ts';

/** The lines of one terminal's chat.jsonl: the last version of each message, in order, and the events. */
export class ChatLog {
  readonly #terminalId: string;
  readonly #newId: () => string;
  readonly #byId = new Map<string, ChatMessage>();
  readonly #messages: ChatMessage[] = [];
  readonly #events: ChatEvent[] = [];
  readonly #eventAt = new Map<string, number>();
  #lastOrder = 0;

  /** `newId` returns an id that is not used by any line. */
  constructor(terminalId: string, newId: () => string) {
    this.#terminalId = terminalId;
    this.#newId = newId;
  }

  /** In their order in the log. */
  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  /** In the order in which they happened. */
  get events(): readonly ChatEvent[] {
    return this.#events;
  }

  /** The event that began the present conversation; null if there is no conversation now. */
  get current(): ChatEvent | null {
    const last = this.#events.findLast(({ type }) => type === 'cli:newSession' || type === 'cli:exit');
    return last?.type === 'cli:newSession' ? last : null;
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

  /** Adds a message, or a version of one; returns the lines for it, and for the prompt that it answers. */
  add(message: ChatMessage): ChatLine[] {
    this.put(message);
    const answered = answeredBy(this.#messages, message);
    return answered ? [message, ...this.add(answered)] : [message];
  }

  /** Adds an event at the end of the log. Without an id in `more` it gets a new one. */
  addEvent(
    type: ChatEvent['type'],
    { at, atMs }: Moment,
    conversationId: string,
    more: Partial<ChatEvent> = {},
  ): ChatEvent {
    const named = { type, id: more.id ?? this.#newId(), terminalId: this.#terminalId, conversationId };
    const event: ChatEvent = { ...named, order: this.nextOrder(), atMs, at, ...more };
    this.put(event);
    return event;
  }

  /** Begins a conversation at the end of the log. */
  begin(moment: Moment, facts: Partial<ChatEvent>): ChatEvent {
    return this.addEvent('cli:newSession', moment, this.#newId(), facts);
  }

  /** Returns the ids and the order of a new message of the present conversation: before the message `id`, or at the end of the log. */
  place(id: string | undefined): Named {
    const order = this.#orderBefore(id);
    const conversationId = this.current?.conversationId ?? '';
    return { id: this.#newId(), terminalId: this.#terminalId, conversationId, order };
  }

  /** Makes the open ones of these messages final. */
  finish(messages: readonly ChatMessage[], atMs: number): ChatLine[] {
    const open = messages.filter(({ final }) => !final);
    const done = open.map((own) => ({ ...own, final: true, updatedMs: Math.max(own.updatedMs, atMs) }));
    for (const message of done) this.put(message);
    return done;
  }

  /** Messages after `order`, in order. */
  after(order: number): ChatMessage[] {
    return this.#messages.slice(this.#indexOf(order, true));
  }

  /** Messages of the conversation before `begun`. */
  before({ parentId, order }: ChatEvent): ChatMessage[] {
    return this.#messages.filter((message) => message.conversationId === parentId && message.order < order);
  }

  /** Removes the messages and events before `order`. */
  forgetBefore(order: number): void {
    for (const { id } of this.#messages.splice(0, this.#indexOf(order))) this.#byId.delete(id);
    const kept = this.#events.filter((event) => event.order >= order);
    this.#events.splice(0, this.#events.length, ...kept);
    this.#eventAt.clear();
    for (const [at, { id }] of kept.entries()) this.#eventAt.set(id, at);
  }

  #orderBefore(id: string | undefined): number {
    const at = id === undefined ? -1 : this.#messages.findIndex((message) => message.id === id);
    const next = this.#messages[at];
    if (!next) return this.nextOrder();
    const begun = this.#events.findLast(({ type, order }) => type === 'cli:newSession' && order < next.order);
    return (Math.max(this.#messages[at - 1]?.order ?? 0, begun?.order ?? 0) + next.order) / 2;
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
