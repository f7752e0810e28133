import { SvelteMap } from 'svelte/reactivity';
import type { ChatChange, Conversation } from '../../src-main/contract/chat/chat.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';
import { ChangesPlace } from '../changes/ChangesPlace.svelte.ts';
import type { ChatRpc, Stop } from '../rpc/Rpc.ts';

/** Conversations of a terminal of another machine, which may flood. */
const MAX_CONVERSATIONS = 10_000;

/** The conversations of the shown tab, and the one that is read. Follows one terminal at a time. */
export class Chats {
  readonly #rpc: ChatRpc;
  #stop: Stop | undefined;
  readonly #readers = new Set<(change: ChatChange) => void>();
  /** Newest first. */
  #all = $state.raw<readonly Conversation[]>([]);
  /** Conversation that the person chose, by terminal. Without a choice, the newest is shown. */
  readonly #chosen = new SvelteMap<string, string>();

  /** By terminal and conversation. */
  readonly #changesPlaces = new Map<string, ChangesPlace>();

  /** Whether the person opened or closed the conversation, by terminal. */
  readonly #opened: SvelteMap<string, boolean>;

  terminalId = $state<string | null>(null);
  /** False until the core has sent the list. */
  isKnown = $state(false);
  /** The window is wide enough for a conversation beside the terminal. */
  hasRoom = $state(true);
  /** The conversation covers the terminal, in a window without room for both. */
  isOverlaid = $state(false);
  /** The conversation should take the focus as soon as it is drawn. The component that takes it resets this. */
  wantsKeys = $state(false);
  /** A message to show once its conversation is shown. The component that shows it resets this. */
  wanted = $state.raw<{ conversationId: string; messageId: string } | null>(null);
  /** The part that the person chose: the messages, the changes in the folder, or the agent's plan. */
  part = $state<'messages' | 'changes' | 'plan'>('messages');
  /** Id of the conversation whose title is being edited. It stays shown until that ends. */
  naming = $state<string | null>(null);
  /** The conversations whose changes are shown side by side; empty while that sheet is closed. */
  compared = $state.raw<readonly Conversation[]>([]);
  /** The export sheet is open. */
  isExporting = $state(false);

  readonly all = $derived(this.#all);
  readonly shown = $derived.by(() => {
    const chosen = this.terminalId === null ? undefined : this.#chosen.get(this.terminalId);
    const { naming } = this;
    const held = naming === null ? undefined : this.#all.find(({ id }) => id === naming);
    return held ?? this.#all.find(({ id }) => id === chosen) ?? this.#all[0];
  });

  constructor(rpc: ChatRpc, opened: Readonly<Record<string, boolean>> = {}) {
    this.#rpc = rpc;
    this.#opened = new SvelteMap(Object.entries(opened));
  }

  /** The visible part of a conversation. A conversation without a plan shows its messages instead. */
  partOf({ plan }: Pick<Conversation, 'plan'>): Chats['part'] {
    return this.part === 'plan' && !plan ? 'messages' : this.part;
  }

  /** The same one for each call with a conversation. */
  changesPlace({ terminalId, id }: Pick<Conversation, 'terminalId' | 'id'>): ChangesPlace {
    const key = `${terminalId}/${id}`;
    const place = this.#changesPlaces.get(key) ?? new ChangesPlace();
    this.#changesPlaces.set(key, place);
    return place;
  }

  /** Whether the person wants the conversation beside this tab; undefined if they never chose. */
  isWanted(terminalId: string): boolean | undefined {
    return this.#opened.get(terminalId);
  }

  want(terminalId: string, isOpen: boolean): void {
    this.#opened.set(terminalId, isOpen);
  }

  /** Follows another terminal; null follows no terminal. */
  follow(terminalId: string | null): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#all = [];
    this.naming = null;
    this.isKnown = false;
    this.terminalId = terminalId;
    if (terminalId === null) return;
    this.#stop = this.#rpc.onChange({ terminalId }, (change) => {
      if (this.terminalId === terminalId) this.apply(change);
    });
  }

  apply(change: ChatChange): void {
    if (change.type === 'all') {
      this.#all = this.#bounded(newestFirst(change.conversations));
      this.isKnown = true;
    } else if (change.type === 'conversation') {
      const { conversation } = change;
      const isNew = !this.#all.some(({ id }) => id === conversation.id);
      const others = this.#all.filter(({ id }) => id !== conversation.id);
      this.#all = this.#bounded(newestFirst([...others, conversation]));
      // A new conversation replaces the chosen one, because the person wants to see it.
      if (isNew && this.terminalId !== null) this.#chosen.delete(this.terminalId);
    }
    for (const reader of this.#readers) reader(change);
  }

  /** Passes every change to `reader` too. */
  read(reader: (change: ChatChange) => void): Stop {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  choose(id: string): void {
    if (this.terminalId !== null) this.#chosen.set(this.terminalId, id);
  }

  /** The newest conversation of this card; undefined if the record has none of it. */
  ofBlock(blockId: string): Conversation | undefined {
    return this.#all.find((conversation) => conversation.blockId === blockId);
  }

  #bounded(all: Conversation[]): Conversation[] {
    return this.terminalId === null || machineOf(this.terminalId) === null ? all : all.slice(0, MAX_CONVERSATIONS);
  }

  dispose(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}

function newestFirst(conversations: readonly Conversation[]): Conversation[] {
  return [...conversations].sort((a, b) => b.startedMs - a.startedMs);
}
