import { existsSync } from 'node:fs';
import type { ChatMessage } from '../../contract/chat/chat.ts';
import { PAST_ID } from '../../contract/pastId.ts';
import { PastFile, pastPath } from './PastFile.ts';
import { newestUncovered, type PastMessage, readPastMessage } from './readMessages.ts';

/** Returns the message of an index row; null if it was deleted or a terminal's record has it now. */
export function pastMessageOf(dataFolder: string, id: string): ChatMessage | null {
  const file = PastFile.openToRead(dataFolder);
  try {
    const message = file && readPastMessage(file, Number(id.slice(id.indexOf('.') + 1)));
    return message && !message.isCovered ? asChatMessage(message) : null;
  } finally {
    file?.close();
  }
}

/** Yields all imported messages that no terminal has recorded, newest first. */
export async function* walkPast(dataFolder: string): AsyncGenerator<ChatMessage> {
  const file = PastFile.openToRead(dataFolder);
  try {
    if (file) for (const message of newestUncovered(file)) yield asChatMessage(message);
  } finally {
    file?.close();
  }
}

/** Returns the titles of imported conversations. The key is `<PAST_ID>/<conversation>`. */
export function pastTitles(dataFolder: string, conversations: ReadonlySet<string>): Record<string, string> {
  if (conversations.size === 0 || !existsSync(pastPath(dataFolder))) return {};
  const file = PastFile.openToRead(dataFolder);
  try {
    const titleOf = (num: string): string =>
      file?.get<{ title: string }>('SELECT title FROM conversations WHERE num = ?', Number(num))?.title ?? '';
    return Object.fromEntries([...conversations].map((num) => [`${PAST_ID}/${num}`, titleOf(num)]));
  } finally {
    file?.close();
  }
}

function asChatMessage({ num, conversation, kind, text, tool, atMs }: PastMessage): ChatMessage {
  return {
    id: `${conversation}.${num}`,
    terminalId: PAST_ID,
    conversationId: String(conversation),
    order: num,
    kind: kind === 'tool' ? 'toolCall' : kind,
    text,
    ...(tool && { tool }),
    final: true,
    ...{ startedMs: atMs, updatedMs: atMs, actor: 'user', origins: ['log'] },
    provenance: { rawStart: 0, rawEnd: 0, seq: 0, extractor: '', extractorVersion: 0, confidence: 1 },
  };
}
