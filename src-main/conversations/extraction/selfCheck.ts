import type { ChatDoubt, ChatMessage } from '../../contract/chat/chat.ts';

/** Parts of a program's frame, which messages never contain: box edges, the bars of an input box, a row of tabs, a scroll bar at the right. */
const FRAME: readonly RegExp[] = [
  /^\s*[╭╰╹╻][─━▀▄]{3,}/,
  /^\s*[▀▄]{8,}\s*$/,
  /^ {0,2}\[?Current\]?\s+\[?Sessions\]?\s|\bIssues {2,}Pull requests {2,}Gists\b/,
  /\S.*\s[█▐┃║]\s*$/,
];
const FENCE = /^\s*(?:```|~~~)/;

/** A doubt about a message whose text contains parts of a frame outside code. Null: no doubt. */
export function frameDoubt({ kind, text }: Pick<ChatMessage, 'kind' | 'text'>): ChatDoubt | null {
  if (kind !== 'user' && kind !== 'model') return null;
  let isCode = false;
  let from = 0;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode && FRAME.some((match) => match.test(line)))
      return { reason: 'frame', from, to: from + line.length };
    from += line.length + 1;
  }
  return null;
}
