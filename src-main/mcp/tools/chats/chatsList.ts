import { z } from 'zod';
import type { Conversation } from '../../../contract/chat/chat.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import type { ChatList, ChatListQuery } from '../../../conversations/record/ConversationStore.ts';
import { withoutCutWord } from '../../../redaction/cutText.ts';
import { capped, PtyId } from '../../protocol/inputs.ts';
import { SinceWhen, sinceMs } from '../../protocol/sinceWhen.ts';
import { defineTool, READS, type ToolAnswer, type ToolCall } from '../../protocol/Tool.ts';
import type { McpReadService } from '../../server/McpReadService.ts';

/** Shorter titles, last sentences and items of plans are whole. */
export const CUT_CHARS = 120;

export const chatsList = defineTool({
  name: 'chats_list',
  aliases: ['chats.list'],
  title: 'Conversations of agents',
  description:
    'Conversations that coding agents had in these terminals, newest first: which agent, when, where, how many messages, and whether it is in progress. chats_read returns the messages.',
  hints: READS,
  profile: null, // agents_list with `past` replaces it
  scope: 'observe',
  input: z.strictObject({
    pty_id: z.optional(PtyId),
    agent: z.string().max(64).optional(),
    since: SinceWhen.optional(),
    limit: capped(1, 100, 20),
    cursor: z.string().max(5000).optional(),
  }),
  about: ({ pty_id = null }) => ({ terminalId: pty_id, what: 'conversations' }),
  everywhere: { list: ({ pty_id }) => (pty_id === undefined ? 'chats' : null), timeoutMs: 5_000 },
  run: ({ since, ...wish }, call) => listChats({ ...wish, since: sinceMs(since, call.desk.nowMs()) }, call),
});

interface ChatWish {
  readonly pty_id?: string | undefined;
  readonly agent?: string | undefined;
  readonly since?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists conversations, newest first. */
export async function listChats(
  { pty_id, agent, since, limit, cursor }: ChatWish,
  { desk }: Pick<ToolCall, 'desk'>,
): Promise<ToolAnswer> {
  if (pty_id !== undefined) desk.record.terminal(pty_id);
  const isWanted = (chat: Conversation): boolean =>
    desk.record.isChatSeen(chat) &&
    (agent === undefined || chat.agent === agent) &&
    (since === undefined || chat.updatedMs >= since);
  const { conversations: chats, next } = await listed(desk, { terminalId: pty_id, limit, cursor, isWanted });
  return {
    facts: {
      chats: chats.map((chat) => ({
        chat_id: chatRef(chat.terminalId, chat.id),
        pty_id: chat.terminalId,
        agent: chat.agent,
        agent_version: chat.version ?? null,
        version_checked: chat.isVersionChecked === true,
        ts_begin: chat.startedMs,
        ts_last: chat.updatedMs,
        ts_end: chat.endedMs,
        messages: chat.messages,
        ...(chat.doubt && { doubt: chat.doubt }),
      })),
      has_more: next !== null,
      ...(next !== null && { resume_cursor: next }),
    },
    told: { chats: chats.map((chat) => ({ title: withoutCutWord(chat.title, CUT_CHARS), cwd: chat.cwd })) },
  };
}

async function listed({ chats }: McpReadService, query: ChatListQuery): Promise<ChatList> {
  try {
    return await chats.listPage(query);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ToolFault('BAD_INPUT', error.message, 'give the resume_cursor of that list');
    throw error;
  }
}

export function chatRef(terminalId: string, conversationId: string): string {
  return `${terminalId}.${conversationId}`;
}
