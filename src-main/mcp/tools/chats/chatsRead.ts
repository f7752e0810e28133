import { z } from 'zod';
import type { ChatKind, ChatLine, ChatMessage, Conversation } from '../../../contract/chat/chat.ts';
import { isFromLog, leadText } from '../../../contract/chat/leadText.ts';
import { readingWords } from '../../../contract/chat/versionWords.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { cutText, withoutCutWord } from '../../../redaction/cutText.ts';
import { aboutRef, BlockRef, capped, MaxChars, splitRef } from '../../protocol/inputs.ts';
import { defineTool, READS, type ToolCall } from '../../protocol/Tool.ts';
import { CUT_CHARS } from './chatsList.ts';

export const ChatRef = BlockRef.describe('from agents_list');

const Kinds: Readonly<Record<string, readonly ChatKind[]>> = {
  user: ['user'],
  model: ['model'],
  tool_call: ['toolCall'],
  tool_result: ['toolResult'],
  command: ['command'],
  exit: ['exit'],
  permission: ['permission'],
  notice: ['notice', 'welcome'],
  welcome: ['welcome'],
};

export const ChatCursor = z.string().regex(/^m-?\d+(?:\.\d+)?$/, 'a cursor is what an earlier answer gave');
export const ChatKinds = z
  .array(z.enum(['user', 'model', 'tool_call', 'tool_result', 'command', 'exit', 'permission', 'notice', 'welcome']))
  .max(9);

export const chatsRead = defineTool({
  name: 'chats_read',
  aliases: ['chats.read'],
  title: 'Read a conversation',
  description:
    'Messages of a conversation in order, as Markdown: what the person asked, what the agent said, its tool calls with their results. Each message has a confidence, its place in the record, and an actor: user, the agent, or agent:<client> for a prompt of a client. cursor returns newer messages; without cursor you get the newest.',
  hints: READS,
  profile: null, // agents_read with `chat_id` replaces it
  scope: 'observe',
  input: z.strictObject({
    chat_id: ChatRef,
    cursor: ChatCursor.optional(),
    limit: capped(1, 200, 20),
    kinds: ChatKinds.optional(),
    max_chars: MaxChars,
  }),
  about: ({ chat_id }) => aboutRef(chat_id, 'a conversation'),
  async run({ chat_id, cursor, limit, kinds, max_chars }, call) {
    const { conversation, lines } = await chatOf(chat_id, call);
    const { messages, cut, resumeCursor, hasMore } = messagesAfter(lines, { cursor, limit, kinds, max_chars });
    return {
      facts: {
        chat_id,
        agent: conversation.agent,
        state: conversation.state,
        ended: conversation.endedMs !== null,
        ...(conversation.doubt && { doubt: conversation.doubt, doubt_reason: readingWords(conversation) }),
        messages: messages.map((message) => factsOf(message, conversation.agent)),
        ...(cut > 0 && { omitted: { chars: cut } }),
        has_more: hasMore,
        resume_cursor: resumeCursor,
      },
      told: { title: withoutCutWord(conversation.title, CUT_CHARS), messages: messages.map(toldOf) },
    };
  },
});

export function placeOf(cursor: string): number {
  return Number(cursor.slice(1));
}

/** Reads messages after the cursor, or the last ones without a cursor: as many as were requested and fit. */
export function messagesAfter(
  lines: readonly ChatLine[],
  {
    cursor,
    limit,
    kinds,
    max_chars,
  }: {
    cursor?: string | undefined;
    limit: number;
    kinds?: readonly string[] | undefined;
    max_chars: number;
  },
): { messages: ChatMessage[]; cut: number; resumeCursor: string; hasMore: boolean } {
  const wanted = kinds && new Set(kinds.flatMap((kind) => Kinds[kind] ?? []));
  const all = lines.filter((line): line is ChatMessage => 'kind' in line && (!wanted || wanted.has(line.kind)));
  const after = cursor === undefined ? null : placeOf(cursor);
  const some = after === null ? all.slice(-limit) : all.filter(({ order }) => order > after).slice(0, limit);
  const { kept: messages, cut } = fitting(some, max_chars);
  const last = messages.at(-1)?.order ?? after ?? Number.NEGATIVE_INFINITY;
  const resumeCursor = Number.isFinite(last) ? `m${last}` : 'm-1';
  return { messages, cut, resumeCursor, hasMore: all.some(({ order }) => order > last) };
}

/** Returns the source of a message: the agent, unless it was typed. `asked_by`: the client whose keys typed it. */
export function actorFacts({ kind, actor }: ChatMessage, agent: string): { actor: string; asked_by?: string } {
  const isTyped = kind === 'user' || kind === 'command';
  if (isTyped) return { actor };
  return { actor: agent, ...(actor !== 'user' && { asked_by: actor }) };
}

export function kindName(kind: ChatKind): string {
  return kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Throws if there is no such conversation that the caller may see. */
export async function chatOf(
  chatId: string,
  { desk }: Pick<ToolCall, 'desk'>,
): Promise<{ conversation: Conversation; lines: ChatLine[] }> {
  const { terminalId, blockId: id } = splitRef(chatId);
  desk.record.terminal(terminalId);
  const found = await desk.chats.whole(terminalId, id);
  if (found && desk.record.isChatSeen(found.conversation)) return found;
  throw new ToolFault('BLOCK_NOT_FOUND', `there is no conversation "${chatId}"`, 'agents_list with past names them');
}

function factsOf(message: ChatMessage, agent: string): object {
  const { id, kind, final, startedMs, verified, hasGap, provenance, tool, question } = message;
  return {
    id,
    kind: kindName(kind),
    final,
    ts: startedMs,
    ...actorFacts(message, agent),
    confidence: provenance.confidence,
    seq: provenance.seq,
    raw_range: { from: provenance.rawStart, to: provenance.rawEnd },
    ...(verified !== undefined && { verified }),
    ...(hasGap && { has_gap: true }),
    ...(message.doubtful && { doubtful: message.doubtful }),
    ...(message.replayOf !== undefined && { replay_of: message.replayOf }),
    ...(isFromLog(message) && { text_from: 'log' }),
    ...(tool && { tool: { status: tool.status ?? null } }),
    ...(question && {
      question: {
        answered: question.verdict !== undefined,
        by: question.verdict?.by ?? null,
        ts: question.verdict?.atMs ?? null,
      },
    }),
  };
}

function toldOf(message: ChatMessage): object {
  const { tool, question, text: screen } = message;
  const text = leadText(message);
  return {
    text,
    ...(isFromLog(message) && { screen_text: screen }),
    ...(question && { question: { options: question.options, choice: question.verdict?.choice ?? null } }),
    ...(tool && { tool: { name: tool.name, ...(tool.input !== undefined && { input: tool.input }) } }),
  };
}

/** The first messages that fit; a single message that is too long is cut. */
function fitting(messages: readonly ChatMessage[], maxChars: number): { kept: ChatMessage[]; cut: number } {
  const kept: ChatMessage[] = [];
  let room = maxChars;
  for (const message of messages) {
    const { length } = leadText(message);
    if (length <= room) kept.push(message);
    else if (kept.length === 0) {
      const { text: _, ...rest } = message.log ?? {};
      const text = cutText(leadText(message), room);
      kept.push({ ...message, text: `${text}…`, log: rest });
      return { kept, cut: length - text.length };
    } else break;
    room -= length;
  }
  return { kept, cut: 0 };
}
