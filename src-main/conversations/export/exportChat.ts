import type { ChatLine, Conversation } from '../../contract/chat/chat.ts';
import { redactChat } from '../../redaction/redactChat.ts';
import type { ChatDocument, IChatExporter } from '../extraction/exporters/ChatDocument.ts';
import { CHAT_EXPORTERS } from '../extraction/exporters/chats.ts';

export interface ExportWish {
  terminalId: string;
  conversationId: string;
  format: 'md' | 'json' | 'jsonl' | 'html';
  redact: boolean;
}

export interface ExportedChat {
  fileName: string;
  mediaType: string;
  text: string;
  /** Number of redacted secrets. */
  redacted: number;
}

/** Exports a conversation as a file. `nowMs`: the time of the export, which the file contains. */
export function exportChat(
  { conversation, lines }: { conversation: Conversation; lines: readonly ChatLine[] },
  { format, redact }: Pick<ExportWish, 'format' | 'redact'>,
  nowMs = Date.now(),
): ExportedChat {
  const exporter = exporterOf(format);
  const told = redact ? redactChat(conversation, lines) : { conversation, lines, count: null };
  const document: ChatDocument = {
    conversation: told.conversation,
    lines: told.lines,
    exportedMs: nowMs,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    redactions: told.count,
  };
  return {
    fileName: `${fileNameOf(told.conversation)}.${exporter.extension}`,
    mediaType: exporter.mediaType,
    text: exporter.write(document),
    redacted: told.count ?? 0,
  };
}

function exporterOf(format: string): IChatExporter {
  const exporter = CHAT_EXPORTERS.find(({ name }) => name === format);
  if (!exporter)
    throw new Error(`No export format "${format}" (known: ${CHAT_EXPORTERS.map(({ name }) => name).join(', ')})`);
  return exporter;
}

const MOST_NAME_CHARS = 60;

/**
 * Words of the title with hyphens between them: only letters and digits of any script, so the name is the same on every system, does not
 * lead to another folder, and is not reserved by Windows.
 */
function fileNameOf({ title, id }: Conversation): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  let name = '';
  for (const word of words) {
    const longer = name === '' ? [...word].slice(0, MOST_NAME_CHARS / 2).join('') : `${name}-${word}`;
    if (longer.length > MOST_NAME_CHARS) break;
    name = longer;
  }
  return name === '' ? `conversation-${id.replace(/[^A-Za-z0-9_-]/g, '')}` : `hansard-${name}`;
}
