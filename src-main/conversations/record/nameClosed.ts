import { existsSync } from 'node:fs';
import { JsonLines } from '../../store/files/JsonLines.ts';
import { livingWriter } from '../../store/instance/writerMark.ts';
import { readChat } from '../../store/record/readChat.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { PtyChatSession } from '../extraction/PtyChatSession.ts';
import type { ChatRecordDeps } from './ConversationRecorder.ts';

/** A conversation, and the title that the person gives it. */
export interface NewTitle {
  readonly terminalId: string;
  readonly conversationId: string;
  /** '' gives it the title of its first prompt again. */
  readonly title: string;
}

export type NameClosedDeps = Pick<ChatRecordDeps, 'log' | 'clock' | 'disk'> & { readonly dataFolder: string };

/**
 * Gives a conversation of a closed terminal a title. False if it does not exist, or if its file cannot be written now: it is archived,
 * another process has it, or `isOpen` says that the terminal was opened again.
 */
export async function nameClosed(
  { terminalId, conversationId, title }: NewTitle,
  { dataFolder, ...deps }: NameClosedDeps,
  isOpen: () => boolean = () => false,
): Promise<boolean> {
  const folder = new SessionFolder(dataFolder, terminalId);
  const { lines } = await readChat(folder);
  const [named] = PtyChatSession.restore(terminalId, lines, () => '').titled(conversationId, title);
  if (!named || isOpen() || livingWriter(folder) !== null || !existsSync(folder.chatJsonl)) return false;
  const file = JsonLines.open(folder.chatJsonl, deps); // its size is read and the line written at once
  const written = file.append(named);
  await file.close();
  return written;
}
