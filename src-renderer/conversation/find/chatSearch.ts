import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { MarkdownReader, plainOf } from '../text/MarkdownReader.ts';

/** A hit in a shown conversation: the item, and the index of the hit within it, from the top. */
export interface ChatHit {
  key: string;
  nth: number;
}

/** Offsets of `query` in `text`, ignoring case and without overlaps. Offsets are UTF-16. */
export function hitsIn(text: string, query: string): number[] {
  const needle = query.toLowerCase();
  if (needle === '') return [];
  const hay = text.toLowerCase();
  if (hay.length !== text.length) return exactHits(text, query); // a letter with a longer lower-case form would shift every later offset
  return exactHits(hay, needle);
}

function exactHits(hay: string, needle: string): number[] {
  const found: number[] = [];
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + needle.length)) found.push(at);
  return found;
}

const known = new WeakMap<ChatMessage, string>();

/** All text of a message as drawn when it is unfolded. */
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
