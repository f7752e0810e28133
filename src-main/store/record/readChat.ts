import { ChatEvent, type ChatLine, ChatMessage } from '../../contract/chat/chat.ts';
import { readLinesBackward } from '../files/readBackward.ts';
import { isBlank, parseLine, readLines } from '../files/readJsonLines.ts';
import type { SessionFolder } from './SessionFolder.ts';

export interface ChatRead {
  /** Each message and event once, in its latest version, in the log's order. */
  lines: ChatLine[];
  /** Number of lines that are neither message nor event, not counting a torn or unfinished last line. */
  badLines: number;
}

/**
 * Reads a terminal's whole chat.jsonl, compressed or not, during or after writing. Memory holds only the latest versions:
 * a streamed message has many lines. Throws only with errors of the disk; a missing file is empty.
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

/** Whether the last conversation in a terminal's chat.jsonl is open. Reads back to its end or its start. */
export async function isChatOpen(folder: SessionFolder): Promise<boolean> {
  for await (const { line } of readLinesBackward(folder.chatJsonl)) {
    const read = line && parseLine(line, parseChatLine);
    if (!read || 'kind' in read || read.title !== undefined) continue; // a line with a title is a later version of a beginning
    if (read.type === 'cli:newSession' || read.type === 'cli:exit') return read.type === 'cli:newSession';
  }
  return false;
}

/** Throws if `json` is not a line of a chat.jsonl. */
export function parseChatLine(json: unknown): ChatLine {
  const isMessage = typeof json === 'object' && json !== null && 'kind' in json;
  return isMessage ? ChatMessage.parse(json) : ChatEvent.parse(json);
}
