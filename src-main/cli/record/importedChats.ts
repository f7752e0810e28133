import type { Conversation } from '../../contract/chat/chat.ts';
import { PAST_ID } from '../../contract/pastId.ts';
import { logConversation, logLines } from '../../past/logConversation.ts';
import { logRowOf, logRows } from '../../past/pastRows.ts';
import { PastFile } from '../../store/past/PastFile.ts';

/** The conversations imported from agents' own logs, with ids unlike those of recorded ones: `own-logs/12`. */
export function importedChats(dataFolder: string): Conversation[] {
  return withFile(dataFolder, (file) => logRows(file).map((row) => named(logConversation(row)))) ?? [];
}

/** An imported conversation with its messages; null if it no longer exists. */
export function importedChat(
  dataFolder: string,
  { id }: Pick<Conversation, 'id'>,
): { conversation: Conversation; lines: ReturnType<typeof logLines> } | null {
  return withFile(dataFolder, (file) => {
    const row = logRowOf(file, Number(id.slice(PAST_ID.length + 1)));
    return row && { conversation: named(logConversation(row)), lines: logLines(file, row) };
  });
}

function named(conversation: Conversation): Conversation {
  return { ...conversation, id: `${PAST_ID}/${conversation.id}` };
}

function withFile<T>(dataFolder: string, use: (file: PastFile) => T): T | null {
  const file = PastFile.openToRead(dataFolder);
  if (!file) return null;
  try {
    return use(file);
  } finally {
    file.close();
  }
}
