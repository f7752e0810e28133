import { ChatEvent, type ChatLine, ChatMessage } from '../../contract/chat/chat.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { isBlank, parseLine, readLines } from '../files/readJsonLines.ts';
import type { SessionFolder } from './SessionFolder.ts';

export interface ChatRead {
  /** Every message and event once, in its latest version, in the log's order. */
  lines: ChatLine[];
  /** Lines that are neither message nor event. What follows the last newline is being written, or was torn: it is not counted. */
  badLines: number;
}

/**
 * All of a terminal's chat.jsonl, compressed or not, while it is written or afterwards. Memory is that of the latest versions, not
 * of the file: a message that streamed has many lines. Throws only for what the disk refuses; a missing file is empty.
 */
export async function readChat(folder: SessionFolder): Promise<ChatRead> {
  const latest = new Map<string, ChatLine>();
  let badLines = 0;
  for await (const { line, isTorn } of readLines(folder.chatJsonl)) {
    if (isTorn) break;
    const read = line === null ? undefined : parseLine(line, parseChatLine);
    if (read) latest.set(read.id, read);
    else if (line === null || !isBlank(line)) badLines += 1;
  }
  return { lines: [...latest.values()].sort((a, b) => a.order - b.order), badLines };
}

/** Whether the last conversation in a terminal's chat.jsonl has no end. Reads back to where it ends, or began. */
export async function isChatOpen(folder: SessionFolder): Promise<boolean> {
  for await (const { line } of readLinesBackward(folder.chatJsonl)) {
    const read = line && parseLine(line, parseChatLine);
    if (!read || 'kind' in read) continue;
    if (read.type === 'cli:newSession' || read.type === 'cli:exit') return read.type === 'cli:newSession';
  }
  return false;
}

/** Throws for what is no line of a chat.jsonl. */
export function parseChatLine(json: unknown): ChatLine {
  const isMessage = typeof json === 'object' && json !== null && 'kind' in json;
  return isMessage ? ChatMessage.parse(json) : ChatEvent.parse(json);
}
