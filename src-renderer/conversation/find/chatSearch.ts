import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { MarkdownReader, plainOf } from '../text/MarkdownReader.ts';

/** A place in a drawn conversation: the item, and which of its hits from the top. */
export interface ChatHit {
  key: string;
  nth: number;
}

/** Where `query` stands in `text`, whatever the case of its letters; never overlapping. Offsets are UTF-16. */
export function hitsIn(text: string, query: string): number[] {
  const needle = query.toLowerCase();
  if (needle === '') return [];
  const hay = text.toLowerCase();
  if (hay.length !== text.length) return exactHits(text, query); // a letter whose small form is longer would shift every place behind it
  return exactHits(hay, needle);
}

function exactHits(hay: string, needle: string): number[] {
  const found: number[] = [];
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + needle.length)) found.push(at);
  return found;
}

const known = new WeakMap<ChatMessage, string>();

/** All words of a message as they are drawn when it is unfolded. */
export function searchText(message: ChatMessage): string {
  const before = known.get(message);
  if (before !== undefined) return before;
  const text = drawnText(message);
  known.set(message, text);
  return text;
}

function drawnText({ kind, text, tool }: ChatMessage): string {
  if (tool) return [tool.name, tool.input, tool.output].filter(Boolean).join('\n');
  return kind === 'model' ? plainOf(new MarkdownReader().read(text)) : text;
}
