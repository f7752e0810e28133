import type { ChatEvent, ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { eventWords } from './chatWords.ts';

/** A message in its place: the place stays while its text streams. */
export interface Said {
  readonly id: string;
  readonly message: ChatMessage;
}

/** One row of a drawn conversation. */
export type ChatItem<Entry extends Said = Said> =
  | {
      type: 'said';
      key: string;
      entry: Entry;
      /** What tools or commands answered, drawn with what they were asked. */
      results: readonly Entry[];
      /** A line above names who speaks. */
      isTurn: boolean;
    }
  | { type: 'event'; key: string; event: ChatEvent; words: string };

const ANSWERED = new Set(['toolCall', 'command']);
/** They come while a tool works, whose answer is still that of its call. */
const PROGRESS: ReadonlySet<ChatEvent['type']> = new Set(['planChanged', 'subAgentChanged']);

/**
 * Both lists ascend by `order`. Answers go with the call right above them, events that people need not see are left out, and the
 * speaker is named whenever another one has the word, or the same one again after something else.
 */
export function chatItems<Entry extends Said>(
  entries: readonly Entry[],
  events: readonly ChatEvent[],
): ChatItem<Entry>[] {
  const items: ChatItem<Entry>[] = [];
  let at = 0;
  let open: Entry[] | null = null;
  const takeEvents = (before: number) => {
    for (let event = events[at]; event && event.order < before; event = events[++at]) {
      const words = eventWords(event);
      if (words === null) continue;
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

/** What a reader may leave out. */
export type ChatFilter = 'all' | 'user' | 'model' | 'tools';

/** Events stay with `all` only: a divider between messages that are not shown would divide nothing. */
export function passesFilter(item: ChatItem, filter: ChatFilter): boolean {
  if (filter === 'all') return true;
  if (item.type === 'event') return false;
  const { kind } = item.entry.message;
  if (filter === 'user') return kind === 'user' || kind === 'command' || kind === 'permission';
  if (filter === 'model') return kind === 'model';
  return kind === 'toolCall' || kind === 'toolResult' || kind === 'permission';
}

const CHAT_PX = { event: 34, tool: 38, permission: 130, line: 23, around: 40, charsPerLine: 52, most: 4000 };

/** Roughly how tall an item will be, before it was ever drawn, in px. */
export function estimateChatPx(item: ChatItem): number {
  if (item.type === 'event') return CHAT_PX.event;
  const { kind, text } = item.entry.message;
  if (kind === 'toolCall' || kind === 'toolResult' || kind === 'welcome') return CHAT_PX.tool;
  if (kind === 'permission') return CHAT_PX.permission;
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / CHAT_PX.charsPerLine), 0);
  return Math.min(CHAT_PX.most, CHAT_PX.around + lines * CHAT_PX.line);
}
