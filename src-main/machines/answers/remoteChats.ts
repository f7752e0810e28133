import { z } from 'zod';
import {
  AgentState,
  type ChatDelta,
  ChatEvent,
  ChatMessage,
  ChatQuestion,
  ChatTool,
  type Conversation as Listed,
  StateEvidence,
} from '../../contract/chat/chat.ts';
import { ChatPlan, SubAgent } from '../../contract/chat/progress.ts';
import { cleanLine } from '../../util/cleanText.ts';
import { Key, Offset, Path, Short, Text, Time } from './remoteValues.ts';

/** Conversations of one terminal, and messages or events of one answer. */
const MAX_CONVERSATIONS = 10_000;
const MAX_SAID = 10_000;

/** One line beside our own text. */
const Line = z.string().transform((text) => cleanLine(text));
const Ids = { id: Key, conversationId: Key, order: z.number() };

const Tool = z.object({ ...ChatTool.shape, name: Short, input: Text.exactOptional(), output: Text.exactOptional() });
const Message = z.object({
  ...ChatMessage.shape,
  ...{ ...Ids, text: Text, startedMs: Time, updatedMs: Time, actor: Short.default('user') },
  ...{ tool: Tool.exactOptional(), replayOf: Key.nullable().exactOptional() },
  log: z
    .object({ text: Text.exactOptional(), input: Text.exactOptional(), output: Text.exactOptional() })
    .exactOptional(),
  question: z.object({ ...ChatQuestion.shape, options: z.array(Text).max(100) }).exactOptional(),
});
const Event = z.object({ ...ChatEvent.shape, ...Ids, atMs: Time, title: Line.exactOptional() });

const Conversation = z.object({
  ...{ id: Key, terminalId: Short, agent: Line, label: Line, version: Line.nullable().exactOptional() },
  ...{ isVersionChecked: z.boolean().exactOptional(), title: Line, cwd: Path.nullable(), blockId: Short.nullable() },
  ...{ parentId: Key.nullable(), resumeId: Short.nullable(), startedMs: Time, updatedMs: Time },
  ...{ endedMs: Time.nullable(), messages: Offset, verified: Offset, verifiable: Offset, state: AgentState },
  ...{ evidence: z.nullable(StateEvidence), plan: z.exactOptional(ChatPlan) },
  subAgents: z
    .array(z.object({ ...SubAgent.shape, startedMs: Time, sinceMs: Time }))
    .max(MAX_CONVERSATIONS)
    .exactOptional(),
  doubt: z.enum(['unread', 'unasked']).exactOptional(),
}) satisfies z.ZodType<Listed, unknown>;

export const RemoteConversations = z.array(Conversation).max(MAX_CONVERSATIONS);

export const RemoteChatDelta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('all'), conversations: RemoteConversations }),
  z.object({ type: z.literal('conversation'), conversation: Conversation }),
  z.object({ type: z.literal('message'), message: Message }),
  z.object({ type: z.literal('event'), event: Event }),
  z.object({
    ...{ type: z.literal('delta'), id: Key, at: Offset, text: Text },
    rest: Message.omit({ text: true }).exactOptional(),
  }),
]) satisfies z.ZodType<ChatDelta, unknown>;

export const RemoteChatPage = z.object({
  ...{ messages: z.array(Message).max(MAX_SAID), events: z.array(Event).max(MAX_SAID), more: z.boolean() },
});
