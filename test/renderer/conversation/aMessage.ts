import type { ChatEvent, ChatMessage, Conversation } from '../../../src-main/contract/chat/chat.ts';

export function aMessage(
  order: number,
  kind: ChatMessage['kind'],
  text = '',
  more: Partial<ChatMessage> = {},
): ChatMessage {
  return {
    id: `m${order}`,
    terminalId: 't',
    conversationId: 'c',
    order,
    kind,
    text,
    final: true,
    startedMs: order,
    updatedMs: order,
    provenance: { rawStart: 0, rawEnd: 10, seq: 1, extractor: 'stand-in', extractorVersion: 2, confidence: 0.9 },
    actor: 'user',
    origins: ['screen'],
    ...more,
  };
}

export function anEvent(order: number, type: ChatEvent['type'], more: Partial<ChatEvent> = {}): ChatEvent {
  return { type, id: `e${order}`, terminalId: 't', conversationId: 'c', order, atMs: order, at: 0, ...more };
}

export function aConversation(id: string, more: Partial<Conversation> = {}): Conversation {
  return {
    id,
    terminalId: 't',
    agent: 'stand-in',
    label: 'Stand-in',
    title: '',
    cwd: null,
    blockId: null,
    parentId: null,
    resumeId: null,
    startedMs: 0,
    updatedMs: 0,
    endedMs: null,
    messages: 0,
    verified: 0,
    verifiable: 0,
    state: 'idle',
    evidence: null,
    ...more,
  };
}
