import { untrack } from 'svelte';
import type { ChatChange, ChatEvent, ChatMessage } from '../../src-main/contract/chat/chat.ts';
import type { ChatPage, ChatRpc } from '../rpc/Rpc.ts';
import { type ChatItem, chatItems, type Said } from './chatItems.ts';

/** Messages that come with the first picture, and with each step into the past. */
const FIRST_PAGE = 120;
const NEXT_PAGE = 400;

/** A message where it stands. Its text streams without moving anything else. */
export class ChatEntry implements Said {
  readonly id: string;
  message = $state.raw<ChatMessage>() as ChatMessage;

  constructor(message: ChatMessage) {
    this.id = message.id;
    this.message = message;
  }
}

/** One conversation as it is read: pages from the core, and what comes while it goes on. Fed by `apply`. */
export class ConversationLog {
  readonly terminalId: string;
  readonly id: string;
  readonly #rpc: Pick<ChatRpc, 'page'>;
  readonly #byId = new Map<string, ChatEntry>();
  /** In the order of `order`. Replaced, never changed. */
  #entries = $state.raw<readonly ChatEntry[]>([]);
  #events = $state.raw<readonly ChatEvent[]>([]);
  #loading: Promise<void> | null = null;

  /** There are older messages that were not asked for yet. */
  hasOlder = $state(false);
  /** False until the first page is there. */
  isKnown = $state(false);
  /** Why it could not be read, or null. */
  fault = $state<string | null>(null);
  /** Messages that came since it was opened; grows while the agent speaks. */
  arrived = $state(0);

  readonly entries = $derived(this.#entries);
  /** The texts are not looked at: a message that streams must not make a thousand rows anew. */
  readonly items = $derived.by((): ChatItem<ChatEntry>[] => {
    const [entries, events] = [this.#entries, this.#events];
    return untrack(() => chatItems(entries, events));
  });

  constructor(terminalId: string, id: string, rpc: Pick<ChatRpc, 'page'>) {
    this.terminalId = terminalId;
    this.id = id;
    this.#rpc = rpc;
  }

  /** The newest messages again: at the start, and after a lost connection. */
  reload(): Promise<void> {
    return this.#load(undefined, FIRST_PAGE);
  }

  /** The next older ones, if there are any and none are on their way. */
  async loadOlder(): Promise<void> {
    if (this.hasOlder && !this.#loading) await this.#load(this.#firstOrder(), NEXT_PAGE);
  }

  /** All of it, as a search needs it. */
  async loadAll(): Promise<void> {
    await this.#loading;
    while (this.hasOlder && this.fault === null) await this.#load(this.#firstOrder(), NEXT_PAGE);
  }

  apply(change: ChatChange): void {
    if (change.type === 'message' && change.message.conversationId === this.id) {
      const isNew = !this.#byId.has(change.message.id);
      this.#put([change.message]);
      if (isNew && this.isKnown) this.arrived += 1;
    } else if (change.type === 'event' && change.event.conversationId === this.id) {
      this.#events = merged(this.#events, [change.event]);
    }
  }

  #firstOrder(): number | undefined {
    const first = Math.min(this.#entries[0]?.message.order ?? Infinity, this.#events[0]?.order ?? Infinity);
    return Number.isFinite(first) ? first : undefined;
  }

  #load(beforeOrder: number | undefined, limit: number): Promise<void> {
    this.#loading = this.#ask(beforeOrder, limit).finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #ask(beforeOrder: number | undefined, limit: number): Promise<void> {
    try {
      const where = { terminalId: this.terminalId, conversationId: this.id };
      this.#take(await this.#rpc.page({ ...where, ...(beforeOrder !== undefined && { beforeOrder }), limit }));
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  #take({ messages, events, more }: ChatPage): void {
    this.fault = null;
    // A change that overtook its page is the newer one.
    this.#put(messages.filter(({ id, updatedMs }) => (this.#byId.get(id)?.message.updatedMs ?? 0) <= updatedMs));
    this.#events = merged(this.#events, events);
    this.hasOlder = more;
    this.isKnown = true;
  }

  /** A message that is known and stays in its place changes nothing but itself. */
  #put(messages: readonly ChatMessage[]): void {
    const fresh: ChatEntry[] = [];
    let isMoved = false;
    for (const message of messages) {
      const entry = this.#byId.get(message.id);
      if (entry) {
        isMoved ||= entry.message.order !== message.order || entry.message.kind !== message.kind;
        entry.message = message;
      } else {
        const added = new ChatEntry(message);
        this.#byId.set(message.id, added);
        fresh.push(added);
      }
    }
    if (fresh.length === 0 && !isMoved) return;
    this.#entries = [...this.#entries, ...fresh].sort((a, b) => a.message.order - b.message.order);
  }
}

function merged(events: readonly ChatEvent[], fresh: readonly ChatEvent[]): readonly ChatEvent[] {
  if (fresh.length === 0) return events;
  const byId = new Map([...events, ...fresh].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => a.order - b.order);
}
