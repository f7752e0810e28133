import type { Conversation } from '../../contract/chat/chat.ts';
import { type ChatList, ConversationStore } from '../../conversations/record/ConversationStore.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { findTerminal } from './findBlocks.ts';
import { findId } from './findId.ts';
import type { RecordReader } from './RecordReader.ts';

/** The word that stands for the newest one. */
const LAST = 'last';

/** The conversations that the files tell of: with a core running or without, they are written as they are held. */
export function chatsOf(record: RecordReader): ConversationStore {
  const isWritten = async (id: string): Promise<boolean> =>
    (await record.listed()).some((row) => row.id === id && record.isWritten(row));
  return new ConversationStore(record.dataFolder, () => undefined, isWritten);
}

/** Newest first, a page of them; of one terminal (an id, the start of one, `last`) or of all. */
export async function listChats(
  record: RecordReader,
  { terminal, limit, cursor }: { terminal?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<ChatList> {
  const terminalId = terminal === undefined ? undefined : (await findTerminal(record, terminal)).id;
  return chatsOf(record).listPage({ terminalId, limit, cursor, onFault: (fault) => record.note(fault) });
}

/** The conversation of an id, of the start of one, or `last`: the one that was last written to. Throws a CliError when there is none. */
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
