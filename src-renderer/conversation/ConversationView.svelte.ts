import { getContext, setContext, tick, untrack } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import type { ChatMessage, Conversation } from '../../src-main/contract/chat/chat.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { coreNowMs } from '../app/clock.svelte.ts';
import { VirtualList } from '../cards/list/VirtualList.svelte.ts';
import { type ChatEntry, ConversationLog } from './ConversationLog.svelte.ts';
import { type ChatFilter, type ChatItem, estimateChatPx, passesFilter } from './chatItems.ts';
import { isWaiting } from './chatWords.ts';
import { ConversationFind } from './find/ConversationFind.svelte.ts';
import type { ChatHit } from './find/chatSearch.ts';
import { provideCopy } from './text/copyContext.ts';

export type ShownItem = ChatItem<ChatEntry>;

/** The anchor of a popover about a message. */
export interface OpenSource {
  message: ChatMessage;
  anchor: HTMLElement;
}

/** State of the shown conversation. Lives while it is shown. */
export class ConversationView {
  readonly app: AppState;
  readonly log: ConversationLog;
  readonly find: ConversationFind;
  readonly flow: VirtualList<ShownItem>;
  readonly #conversation: () => Conversation;
  /** Counts requests for the focus, so that only the last one gets it. */
  #focusing = 0;
  /** Tool calls, permission prompts and welcomes that the person unfolded. */
  readonly unfolded = new SvelteSet<string>();
  /** Messages too long to draw at once that the person expanded. */
  readonly whole = new SvelteSet<string>();
  filter = $state<ChatFilter>('all');
  /** The item that keys act on; null = the last one. */
  cursorKey = $state<string | null>(null);
  /** The item under the pointer, else the last one with the focus. Only this item shows its tools. */
  pointedKey = $state<string | null>(null);
  source = $state.raw<OpenSource | null>(null);
  /** Distinguishes past days from today. */
  nowMs = $state(coreNowMs());

  readonly conversation = $derived.by(() => this.#conversation());
  readonly items = $derived.by(() => {
    const { items } = this.log;
    const { filter } = this;
    return filter === 'all' ? items : untrack(() => items.filter((item) => passesFilter(item, filter)));
  });
  readonly cursor = $derived(this.items.find(({ key }) => key === this.cursorKey) ?? this.items.at(-1));
  /** The question that waits for an answer. */
  readonly openQuestion = $derived.by(() => {
    if (!isWaiting(this.conversation.state)) return null;
    const last = this.log.items.findLast((item) => item.type === 'said');
    return last?.type === 'said' && last.entry.message.kind === 'permission' ? last.key : null;
  });

  constructor(app: AppState, conversation: () => Conversation) {
    this.app = app;
    this.#conversation = conversation;
    const { terminalId, id } = conversation();
    this.log = new ConversationLog(terminalId, id, app.rpc.chat);
    this.find = new ConversationFind(this.log);
    this.flow = new VirtualList(
      () => this.items,
      (item) => untrack(() => estimateChatPx(item)),
      { kept: () => this.cursorKey, above: () => null },
    );
  }

  get ref(): { terminalId: string; conversationId: string } {
    return { terminalId: this.log.terminalId, conversationId: this.log.id };
  }

  /** Its title is being edited. */
  get isNaming(): boolean {
    return this.app.chats.naming === this.log.id;
  }

  toggle(key: string): void {
    void this.flow.steady(key, () => {
      if (!this.unfolded.delete(key)) this.unfolded.add(key);
    });
  }

  /** Scrolls to the item and focuses it, unless the focus moved elsewhere meanwhile. */
  async focusItem(key: string): Promise<void> {
    this.cursorKey = key;
    this.pointedKey = key;
    const before = document.activeElement;
    this.#focusing += 1;
    const own = this.#focusing;
    await tick();
    const element = await this.flow.reveal(key);
    const now = document.activeElement;
    const isFree = now === before || now === document.body || this.flow.scroller?.contains(now) === true;
    if (own === this.#focusing && isFree) element?.focus({ preventScroll: true });
  }

  /** Moves to the turn before or after the current one; after the last one, to the end. */
  async walkTurns(by: 1 | -1): Promise<void> {
    const from = this.items.findIndex(({ key }) => key === this.cursor?.key);
    const isTurn = (item: ShownItem) =>
      item.type === 'said' && (item.isTurn || item.entry.message.kind === 'permission');
    const next =
      by < 0 ? this.items.slice(0, Math.max(0, from)).findLast(isTurn) : this.items.slice(from + 1).find(isTurn);
    if (next) return this.focusItem(next.key);
    if (by > 0) this.toEnd();
    else if (this.log.hasOlder) {
      await this.log.loadOlder();
      await this.walkTurns(by);
    }
  }

  toEnd(): void {
    this.cursorKey = null;
    this.flow.toEnd();
  }

  /** Unfolds the item of the hit and draws it. */
  async showHit({ key }: ChatHit): Promise<void> {
    if (!this.items.some((item) => item.key === key)) this.filter = 'all';
    this.unfolded.add(key);
    this.whole.add(key);
    await tick();
    await this.flow.reveal(key);
  }

  copy(text: string | Promise<string>, said: string): Promise<void> {
    return this.app.notices.copy(text, said);
  }

  dispose(): void {
    this.find.close();
  }
}

const KEY = Symbol('conversation');

export function provideView(view: ConversationView): ConversationView {
  provideCopy((text, said) => view.copy(text, said));
  return setContext(KEY, view);
}

export function getView(): ConversationView {
  return getContext<ConversationView>(KEY);
}
