import type { ChatEvent, ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { eventWords } from './chatWords.ts';

/** A message with a fixed position, which stays while its text streams. */
export interface Said {
  readonly id: string;
  readonly message: ChatMessage;
}

/** One row of a shown conversation. */
export type ChatItem<Entry extends Said = Said> =
  | {
      type: 'said';
      key: string;
      entry: Entry;
      /** Results of tools or commands, drawn with their call. */
      results: readonly Entry[];
      /** A line above names the speaker. */
      isTurn: boolean;
    }
  | { type: 'event'; key: string; event: ChatEvent; words: string };

const ANSWERED = new Set(['toolCall', 'command']);
/** Events that come while a tool works; its later result still belongs to its call. */
const PROGRESS: ReadonlySet<ChatEvent['type']> = new Set(['planChanged', 'subAgentChanged']);

/**
 * Both lists ascend by `order`. A result joins the call right above it, and events of no use to people are left out. The speaker is named when it
 * changes, or when the same one continues after another kind of item.
 */
export function chatItems<Entry extends Said>(
  entries: readonly Entry[],
  events: readonly ChatEvent[],
): ChatItem<Entry>[] {
  const items: ChatItem<Entry>[] = [];
  const ids = new Set(entries.map(({ id }) => id)); // the list draws each key once
  let at = 0;
  let open: Entry[] | null = null;
  const takeEvents = (before: number) => {
    for (let event = events[at]; event && event.order < before; event = events[++at]) {
      const words = eventWords(event);
      if (words === null || ids.has(event.id)) continue;
      items.push({ type: 'event', key: event.id, event, words });
      if (!PROGRESS.has(event.type)) open = null;
    }
  };
  for (const entry of entries) {
    takeEvents(entry.message.order);
    const { kind } = entry.message;
    if (kind === 'toolResult' && open) {
      open.push(entry);
      continue;
    }
    const results: Entry[] = [];
    items.push({ type: 'said', key: entry.id, entry, results, isTurn: isTurn(kind, items.at(-1)) });
    open = ANSWERED.has(kind) ? results : null;
  }
  takeEvents(Number.POSITIVE_INFINITY);
  return items;
}

function isTurn(kind: ChatMessage['kind'], before: ChatItem | undefined): boolean {
  if (kind === 'user' || kind === 'command') return true;
  return kind === 'model' && !(before?.type === 'said' && before.entry.message.kind === 'model');
}

/** The kinds of items that a reader can choose. */
export type ChatFilter = 'all' | 'user' | 'model' | 'tools';

/** Events appear with `all` only: a divider between hidden messages has no use. */
export function passesFilter(item: ChatItem, filter: ChatFilter): boolean {
  if (filter === 'all') return true;
  if (item.type === 'event') return false;
  const { kind } = item.entry.message;
  if (filter === 'user') return kind === 'user' || kind === 'command' || kind === 'permission';
  if (filter === 'model') return kind === 'model';
  return kind === 'toolCall' || kind === 'toolResult' || kind === 'permission';
}

const CHAT_PX = { event: 34, tool: 38, permission: 130, line: 23, around: 40, charsPerLine: 52, most: 4000 };

/** Estimated height in px of an item that was never drawn. */
export function estimateChatPx(item: ChatItem): number {
  if (item.type === 'event') return CHAT_PX.event;
  const { kind, text } = item.entry.message;
  if (kind === 'toolCall' || kind === 'toolResult' || kind === 'welcome') return CHAT_PX.tool;
  if (kind === 'permission') return CHAT_PX.permission;
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / CHAT_PX.charsPerLine), 0);
  return Math.min(CHAT_PX.most, CHAT_PX.around + lines * CHAT_PX.line);
}
