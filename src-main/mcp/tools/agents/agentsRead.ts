import { z } from 'zod';
import type { ChatMessage, Conversation } from '../../../contract/chat/chat.ts';
import { leadText } from '../../../contract/chat/leadText.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import { cutText, withoutCutWord } from '../../../redaction/cutText.ts';
import type { PtyInstance } from '../../../terminal/PtyInstance.ts';
import { isAtWork, untilTurnEnds } from '../../agents/turns.ts';
import { aboutRef, capped, PtyId, splitRef, WaitMs } from '../../protocol/inputs.ts';
import { defineTool, type ToolAnswer, type ToolCall, WAITS } from '../../protocol/Tool.ts';
import { CUT_CHARS } from '../chats/chatsList.ts';
import {
  actorFacts,
  ChatCursor,
  ChatKinds,
  ChatRef,
  chatOf,
  kindName,
  messagesAfter,
  placeOf,
} from '../chats/chatsRead.ts';
import { rowFacts, rowTold } from './agentsList.ts';
import { wholePlan } from './planAnswer.ts';

/** Limit of a tool's result. chats_read and the block have all of it. */
const MAX_TOOL_CHARS = 300;

export const agentsRead = defineTool({
  name: 'agents_read',
  aliases: ['agents.read'],
  title: 'Read an agent',
  description:
    'What the agent in a terminal (pty_id), or of a conversation (chat_id), said last, as Markdown: limit messages, or those behind cursor; its state, its open question and its plan (to-do list). kinds: ["model"] leaves out all but its own words. With wait_ms it waits until the agent works no more, and with the cursor of agents_prompt until it has answered that prompt. actor: who it comes from, "user", the agent, or agent:<client> for a prompt that a client gave.',
  hints: WAITS,
  profile: 'observe',
  scope: 'observe',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: z.strictObject({
    pty_id: z.optional(PtyId),
    chat_id: ChatRef.optional(),
    cursor: ChatCursor.optional(),
    limit: capped(1, 200, 5),
    kinds: ChatKinds.optional(),
    wait_ms: WaitMs,
    max_chars: capped(200, 100_000, 4_000),
  }),
  about: ({ pty_id = null, chat_id }) =>
    chat_id === undefined ? { terminalId: pty_id, what: 'its agent' } : aboutRef(chat_id, 'a conversation'),
  async run(input, call) {
    const { terminalId } = placeIn(input);
    const { live } = call.desk.record.terminal(terminalId);
    const wish = { ...input, terminalId };
    if (!live || input.wait_ms === 0) return readAgent(wish, call);
    return readAfterTurn(wish, { live, waitMs: input.wait_ms }, call);
  },
});

function placeIn({ pty_id, chat_id }: { pty_id?: string | undefined; chat_id?: string | undefined }): {
  terminalId: string;
} {
  if (chat_id !== undefined && pty_id !== undefined && splitRef(chat_id).terminalId !== pty_id)
    throw new ToolFault('BAD_INPUT', 'chat_id is of another terminal than pty_id', 'give one of them');
  const terminalId = chat_id === undefined ? pty_id : splitRef(chat_id).terminalId;
  if (terminalId !== undefined) return { terminalId };
  throw new ToolFault('BAD_INPUT', 'pty_id or chat_id says which agent', 'agents_list names them');
}

interface ReadWish {
  readonly terminalId: string;
  readonly chat_id?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly kinds?: readonly z.infer<typeof ChatKinds>[number][] | undefined;
  readonly max_chars: number;
}

/**
 * Like `readAgent` when the turn has ended, with a cursor when the prompt there is answered, or after `waitMs`. Waits again if the agent works on when
 * it is read: a question that was just answered still seems to be open for a moment.
 */
export async function readAfterTurn(
  wish: ReadWish,
  { live, waitMs }: { live: PtyInstance; waitMs: number },
  call: ToolCall,
): Promise<ToolAnswer> {
  const after = wish.cursor === undefined ? null : placeOf(wish.cursor);
  const untilMs = performance.now() + waitMs;
  for (;;) {
    await untilTurnEnds(live, { after, waitMs: untilMs - performance.now(), signal: call.signal });
    call.desk.record.terminal(wish.terminalId); // throws if the person has hidden it since
    const answer = await readAgent(wish, call);
    const { agent } = live.view;
    const isOn = isAtWork(agent?.state) && 'state' in answer.facts && answer.facts.state === agent?.state;
    if (!isOn || call.signal.aborted || performance.now() >= untilMs) return answer;
  }
}

/** Reads the agent's state and question, and its messages after the cursor, or the last ones without a cursor. */
export async function readAgent(wish: ReadWish, call: ToolCall): Promise<ToolAnswer> {
  const newest = await call.clients.agents.row(wish.terminalId);
  const row = newest && call.desk.record.isChatSeen(newest) ? newest : null;
  const chatId = wish.chat_id ?? (await newestChat(wish.terminalId, row?.conversationId ?? null, call));
  const { conversation, lines } = await chatOf(chatId, call);
  const { messages, cut, resumeCursor, hasMore } = messagesAfter(lines, wish);
  const own = row?.conversationId === conversation.id ? row : null;
  const plan = conversation.plan && wholePlan(conversation.plan);
  return {
    facts: {
      ...(own
        ? rowFacts(own, call)
        : { pty_id: wish.terminalId, chat_id: chatId, agent: conversation.agent, state: conversation.state }),
      ...(plan && { plan: plan.facts }),
      messages: messages.map((message) => messageFacts(message, conversation.agent)),
      ...(cut > 0 && { omitted: { chars: cut } }),
      has_more: hasMore,
      resume_cursor: resumeCursor,
    },
    told: {
      ...(own ? withoutSaid(rowTold(own)) : { title: withoutCutWord(conversation.title, CUT_CHARS) }),
      ...(plan && { plan: plan.told }),
      messages: messages.map(messageTold),
    },
  };
}

/** Leaves out the last sentence, which is in the messages. */
function withoutSaid({ said: _, ...told }: Record<string, unknown>): Record<string, unknown> {
  return told;
}

async function newestChat(terminalId: string, live: string | null, { desk }: ToolCall): Promise<string> {
  if (live !== null) return `${terminalId}.${live}`;
  const isWanted = (chat: Conversation): boolean => desk.record.isChatSeen(chat);
  const { conversations } = await desk.chats.listPage({ terminalId, limit: 1, isWanted });
  const [newest] = conversations;
  if (newest) return `${terminalId}.${newest.id}`;
  throw new ToolFault('BLOCK_NOT_FOUND', `no agent has run in "${terminalId}"`, 'agents_list names those that run');
}

function messageFacts(message: ChatMessage, agent: string): object {
  const { tool, hasGap, doubtful, final } = message;
  return {
    kind: kindName(message.kind),
    ...actorFacts(message, agent),
    ts: message.startedMs,
    ...(!final && { final }),
    ...(hasGap && { has_gap: true }),
    ...(doubtful && { doubtful: doubtful.reason }),
    ...(tool?.status !== undefined && { status: tool.status }),
  };
}

function messageTold(message: ChatMessage): object {
  const { tool, question, kind } = message;
  const text = leadText(message);
  const isResult = kind === 'toolResult' && text.length > MAX_TOOL_CHARS;
  return {
    ...(tool && { tool: cutText([tool.name, tool.input ?? ''].join(' ').trim(), MAX_TOOL_CHARS) }),
    text: isResult ? `${cutText(text, MAX_TOOL_CHARS)}…` : text,
    ...(question?.verdict && { choice: question.verdict.choice }),
  };
}
