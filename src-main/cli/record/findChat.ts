import type { ChatLine, Conversation } from '../../contract/chat/chat.ts';
import { PAST_ID } from '../../contract/pastId.ts';
import { type ChatList, ConversationStore } from '../../conversations/record/ConversationStore.ts';
import { cursorOf, newestFirst, parseCursor } from '../../conversations/record/listOrder.ts';
import { pastPath } from '../../store/past/PastFile.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { findTerminal } from './findBlocks.ts';
import { findId } from './findId.ts';
import { importedChat, importedChats } from './importedChats.ts';
import type { RecordReader } from './RecordReader.ts';

/** Argument for the newest one. */
const LAST = 'last';

/** The recorded conversations from the files, which are up to date with or without a running core. */
export function chatsOf(record: RecordReader): ConversationStore {
  const isWritten = async (id: string): Promise<boolean> =>
    (await record.listed()).some((row) => row.id === id && record.isWritten(row));
  return new ConversationStore(record.dataFolder, () => undefined, isWritten);
}

/** A page of conversations, newest first: of one terminal (an id, the start of one, `last`), or of all together with the imported ones. */
export async function listChats(
  record: RecordReader,
  { terminal, limit, cursor }: { terminal?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<ChatList> {
  const terminalId = terminal === undefined ? undefined : (await findTerminal(record, terminal)).id;
  if (terminalId !== undefined) record.folder(terminalId); // refuses a terminal of another machine
  const page = await chatsOf(record).listPage({ terminalId, limit, cursor, onFault: (fault) => record.note(fault) });
  if (terminalId !== undefined) return page;
  const after = cursor === undefined ? null : parseCursor(cursor);
  const imported = readImported(record).filter((one) => after === null || newestFirst(after, one) < 0);
  const all = [...page.conversations, ...imported].sort(newestFirst);
  const conversations = all.slice(0, limit);
  const last = conversations.at(-1);
  return { conversations, next: last && (all.length > limit || page.next !== null) ? cursorOf(last) : null };
}

/** Recorded conversations are listed even if the file of imported ones is damaged, or of another version. */
function readImported(record: RecordReader): Conversation[] {
  try {
    return importedChats(record.dataFolder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    record.note({ path: pastPath(record.dataFolder), reason: `cannot be read (${reason})` });
    return [];
  }
}

/** The conversation with all its lines; null if it cannot be read. */
export function wholeChat(
  record: RecordReader,
  conversation: Conversation,
): Promise<{ conversation: Conversation; lines: readonly ChatLine[] } | null> {
  const { terminalId, id } = conversation;
  if (isImported(conversation)) return Promise.resolve(importedChat(record.dataFolder, conversation));
  return chatsOf(record).whole(terminalId, id);
}

/** The conversation is from an agent's own log, not from a terminal. */
export function isImported({ terminalId }: Pick<Conversation, 'terminalId'>): boolean {
  return terminalId === PAST_ID;
}

/** Finds a conversation by its id, the start of one, or `last`, which means the one written last. Throws a CliError if there is none. */
export async function findChat(record: RecordReader, wanted: string, terminal?: string): Promise<Conversation> {
  const { conversations: known } = await listChats(record, { terminal, limit: Number.POSITIVE_INFINITY });
  const [newest] = known;
  if (!newest) throw nothingRecorded(record);
  if (wanted === LAST) return newest;
  const named = known.map((conversation) => ({
    id: conversation.id,
    label: `${conversation.label}  ${conversation.title}`,
    conversation,
  }));
  return findId(wanted, named, 'conversation').conversation;
}

function nothingRecorded({ dataFolder }: RecordReader): CliError {
  return new CliError(
    `no conversation is recorded in ${dataFolder} yet. Run a coding agent in \`hansard\`, or import a recording of one.`,
    EXIT.noInput,
  );
}
