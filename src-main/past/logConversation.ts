import type { ChatMessage, Conversation } from '../contract/chat/chat.ts';
import { PAST_ID } from '../contract/pastId.ts';
import { labelOf } from '../conversations/record/ConversationRecorder.ts';
import type { PastFile } from '../store/past/PastFile.ts';
import { messagesOfConversation } from '../store/past/readMessages.ts';
import type { LogRow } from './pastRows.ts';

/** Returns an imported conversation in the form that exporters take. */
export function logConversation(row: LogRow): Conversation {
  const { num, agent, session, cwd, title, version, startedMs, updatedMs, messages } = row;
  return {
    ...{ id: String(num), terminalId: PAST_ID, agent, label: labelOf(agent), version, title, cwd },
    ...{ blockId: null, parentId: null, resumeId: session, startedMs, updatedMs, endedMs: updatedMs, messages },
    ...{ verified: 0, verifiable: 0, state: 'exited', evidence: null },
  };
}

/** Returns all messages in order. The result of a tool is part of its call. */
export function logLines(file: PastFile, { num, agent }: LogRow): ChatMessage[] {
  return messagesOfConversation(file, num).map(({ num: order, kind, text, tool, atMs }) => ({
    ...{ id: `${num}.${order}`, terminalId: PAST_ID, conversationId: String(num), order },
    ...{ kind: kind === 'tool' ? ('toolCall' as const) : kind, text, ...(tool && { tool }), final: true },
    ...{ startedMs: atMs, updatedMs: atMs, actor: 'user', origins: ['log' as const] },
    provenance: { rawStart: 0, rawEnd: 0, seq: 0, extractor: agent, extractorVersion: 0, confidence: 1 },
  }));
}
