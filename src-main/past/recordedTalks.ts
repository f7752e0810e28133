import type { ChatLine, Conversation } from '../contract/chat/chat.ts';
import { ConversationStore } from '../conversations/record/ConversationStore.ts';
import { stampOf } from '../store/files/openRecordFile.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';

/** This many prompts identify a conversation; more would prove nothing more. */
const MAX_PROMPTS = 40;
const MAX_PROMPT_CHARS = 200;

/** Removes white space from a prompt before a comparison, because a screen wraps lines. */
export interface Prompt {
  readonly text: string;
  readonly atMs: number;
}

/** Updates the list of conversations that terminals have recorded. It reads only files that have changed. */
export async function noteTalks(file: PastFile, dataFolder: string): Promise<void> {
  const store = new ConversationStore(
    dataFolder,
    () => undefined,
    () => true,
  );
  const known = new Map(
    file
      .all<{ id: string; stamp: string }>('SELECT terminal_id AS id, stamp FROM talk_files')
      .map((row) => [row.id, row]),
  );
  for (const id of SessionFolder.list(dataFolder)) {
    const stamp = stampOf(new SessionFolder(dataFolder, id).chatJsonl);
    const isKnown = (known.get(id)?.stamp ?? '') === stamp;
    known.delete(id);
    if (isKnown) continue;
    const talks = await talksOf(store, id).catch(() => null); // `hansard doctor` reports files that cannot be read
    if (talks) file.inOne(() => write(file, { id, stamp, talks }));
  }
  file.inOne(() => {
    for (const id of known.keys()) write(file, { id, stamp: '', talks: [] });
  });
}

interface Talk {
  readonly conversation: Conversation;
  readonly prompts: readonly Prompt[];
}

async function talksOf(store: ConversationStore, terminalId: string): Promise<Talk[]> {
  const conversations = await store.list({ terminalId, limit: Number.MAX_SAFE_INTEGER });
  if (conversations.length === 0) return [];
  const lines = await store.lines(terminalId);
  return conversations
    .filter(({ doubt, messages }) => doubt !== 'unread' && messages > 0)
    .map((conversation) => ({ conversation, prompts: promptsOf(lines, conversation.id) }));
}

/** Returns the prompts of a conversation for `byPrompts`. */
export function promptsOf(lines: readonly ChatLine[], conversationId: string): Prompt[] {
  return lines
    .flatMap((line) =>
      'kind' in line && line.kind === 'user' && line.conversationId === conversationId && line.replayOf === undefined
        ? [{ text: promptKey(line.text), atMs: line.startedMs }]
        : [],
    )
    .slice(0, MAX_PROMPTS);
}

export function promptKey(text: string): string {
  return text.replace(/\s+/g, '').slice(0, MAX_PROMPT_CHARS);
}

function write(file: PastFile, { id, stamp, talks }: { id: string; stamp: string; talks: readonly Talk[] }): void {
  file.run('DELETE FROM talks WHERE terminal_id = ?', id);
  if (stamp === '') file.run('DELETE FROM talk_files WHERE terminal_id = ?', id);
  else file.run('INSERT OR REPLACE INTO talk_files (terminal_id, stamp) VALUES (?, ?)', id, stamp);
  for (const { conversation, prompts } of talks)
    file.run(
      `INSERT INTO talks (terminal_id, conversation_id, agent, session, cwd, from_ms, to_ms, prompts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, conversation.id, conversation.agent, conversation.resumeId, conversation.cwd],
      ...[conversation.startedMs, conversation.endedMs ?? conversation.updatedMs, JSON.stringify(prompts)],
    );
}
