import { expect, test } from 'vitest';
import type { ChatEvent } from '../../../src-main/contract/chat/chat.ts';
import { readChat } from './readChat.ts';

function event(type: ChatEvent['type'], order: number, more: Partial<ChatEvent> = {}): ChatEvent {
  return { type, id: `e${order}`, terminalId: 't', conversationId: 'c', order, atMs: order, at: order, ...more };
}

test('the id for resuming is that of the exit, though figures of the last turn come after it', () => {
  const lines = [
    event('cli:newSession', 1, { agent: 'codex' }),
    event('cli:exit', 2, { resumeId: '12' }),
    event('usageChanged', 3),
  ];
  expect(readChat(lines, 0).conversations.map(({ resumeId }) => resumeId)).toEqual(['12']);
});
