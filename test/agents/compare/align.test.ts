import { expect, test } from 'vitest';
import { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { align } from './align.ts';

function recorded(text: string, more: Partial<ChatMessage> = {}): ChatMessage {
  const place = { id: 'm', terminalId: 't', conversationId: 'c', order: 1, final: true, startedMs: 0, updatedMs: 0 };
  const provenance = { rawStart: 0, rawEnd: 1, seq: 1, extractor: 'x', extractorVersion: 1, confidence: 1 };
  return ChatMessage.parse({ ...place, kind: 'model', text, provenance, ...more });
}

const WORDS = Array.from({ length: 60 }, (_, at) => `word${at}`);
const WHOLE = WORDS.join(' ');

test('an interrupted answer is looked for by the part that was sent', () => {
  const sent = WORDS.slice(0, 12).join(' ');
  const wanted = { kind: 'model' as const, text: WHOLE, sentChars: sent.length };
  const { pairs } = align([wanted], [recorded(`… ${sent}`)]);
  expect(pairs).toHaveLength(1);
  expect(align([wanted], [recorded('something else')]).missing).toEqual([wanted]);
});

test('an answer of which the screen showed a part is found by the text of the agent log, which is shown first', () => {
  const wanted = { kind: 'model' as const, text: WHOLE };
  const part = WORDS.slice(50).join(' ');
  expect(align([wanted], [recorded(part)]).missing).toEqual([wanted]);
  expect(align([wanted], [recorded(part, { log: { text: WHOLE } })]).missing).toEqual([]);
});
