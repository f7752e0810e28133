import { untrack } from 'svelte';
import type { ChatChange, ChatEvent, ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';
import { type ListLimits, newestWithin } from '../rpc/newestWithin.ts';
import type { ChatPage, ChatRpc } from '../rpc/Rpc.ts';
import { type ChatItem, chatItems, type Said } from './chatItems.ts';

/** Number of messages in the first page, and in each older one. */
const FIRST_PAGE = 120;
const NEXT_PAGE = 400;

/** Messages of another machine, which may flood: the oldest are unloaded. */
const LIMITS: ListLimits<ChatEntry> = {
  most: 20_000,
  mostChars: 64_000_000,
  chars: ({ message }) => message.text.length,
};
const MAX_EVENTS = 20_000;

/** A message with a fixed position. Its text streams without affecting other entries. */
export class ChatEntry implements Said {
  readonly id: string;
  message = $state.raw<ChatMessage>() as ChatMessage;

  constructor(message: ChatMessage) {
    this.id = message.id;
    this.message = message;
  }
}

/** The messages of one conversation: pages from the core, and live changes. Fed by `apply`. */
export class ConversationLog {
  readonly terminalId: string;
  readonly id: string;
  readonly #rpc: Pick<ChatRpc, 'page'>;
  readonly #byId = new Map<string, ChatEntry>();
  /** Ordered by `order`. The array is replaced, never changed. */
  #entries = $state.raw<readonly ChatEntry[]>([]);
  #events = $state.raw<readonly ChatEvent[]>([]);
  #loading: Promise<void> | null = null;

  /** There are older messages that are not loaded. */
  hasOlder = $state(false);
  /** False until the first page has arrived. */
  isKnown = $state(false);
  /** Why the conversation could not be read, or null. */
  fault = $state<string | null>(null);
  /** Number of messages since it was opened; grows while the agent writes. */
  arrived = $state(0);

  readonly entries = $derived(this.#entries);
  /** Does not depend on the texts, because a streaming message must not build a thousand rows again. */
  readonly items = $derived.by((): ChatItem<ChatEntry>[] => {
    const [entries, events] = [this.#entries, this.#events];
    return untrack(() => chatItems(entries, events));
  });

  constructor(terminalId: string, id: string, rpc: Pick<ChatRpc, 'page'>) {
    this.terminalId = terminalId;
    this.id = id;
    this.#rpc = rpc;
  }

  /** Loads the newest messages again: at the start, and after a lost connection. */
  reload(): Promise<void> {
    return this.#load(undefined, FIRST_PAGE);
  }

  /** Loads the next older messages, unless all are loaded or a page is already loading. */
  async loadOlder(): Promise<void> {
    if (this.hasOlder && !this.#loading) await this.#load(this.#firstOrder(), NEXT_PAGE);
  }

  /** Loads all messages, for a search. */
  async loadAll(): Promise<void> {
    await this.#loading;
    while (this.hasOlder && this.fault === null) await this.#load(this.#firstOrder(), NEXT_PAGE);
  }

  apply(change: ChatChange): void {
    if (change.type === 'message' && change.message.conversationId === this.id) {
      const isNew = !this.#byId.has(change.message.id);
      this.#put([change.message]);
      if (isNew) this.#unloadOldest();
      if (isNew && this.isKnown) this.arrived += 1;
    } else if (change.type === 'event' && change.event.conversationId === this.id) {
      this.#events = merged(this.#events, [change.event]);
      if (this.#isOfMachine) this.#events = this.#events.slice(-MAX_EVENTS);
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
    // A change that arrived before its page is newer.
    this.#put(messages.filter(({ id, updatedMs }) => (this.#byId.get(id)?.message.updatedMs ?? 0) <= updatedMs));
    this.#events = merged(this.#events, events);
    this.hasOlder = more;
    this.isKnown = true;
  }

  /** A known message that keeps its position changes only its own entry. */
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
    if (fresh.length > 0 || isMoved)
      this.#entries = [...this.#entries, ...fresh].sort((a, b) => a.message.order - b.message.order);
  }

  /** Our own conversations keep everything that the person has loaded. */
  get #isOfMachine(): boolean {
    return machineOf(this.terminalId) !== null;
  }

  #unloadOldest(): void {
    if (!this.#isOfMachine) return;
    const kept = newestWithin(this.#entries, LIMITS);
    if (kept === this.#entries) return;
    for (const { id } of this.#entries.slice(0, -kept.length)) this.#byId.delete(id);
    this.#entries = kept;
    this.hasOlder = true;
  }
}

function merged(events: readonly ChatEvent[], fresh: readonly ChatEvent[]): readonly ChatEvent[] {
  if (fresh.length === 0) return events;
  const byId = new Map([...events, ...fresh].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => a.order - b.order);
}
