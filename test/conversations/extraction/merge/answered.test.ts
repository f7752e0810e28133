import { expect, test } from 'vitest';
import type { AgentState, ChatKind } from '../../../../src-main/contract/chat/chat.ts';
import { doubtWords } from '../../../../src-main/contract/chat/leadText.ts';
import { PtyChatSession } from '../../../../src-main/conversations/extraction/PtyChatSession.ts';
import { countedIds } from '../../../support/chatOfCast.ts';

const READING = { at: 1, atMs: 1, seq: 1, extractor: 'x', extractorVersion: 1 };

function shown(...steps: [AgentState, ...(readonly [ChatKind, string])[]][]): PtyChatSession {
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
  for (const [state, ...said] of steps) {
    const messages = said.map(([kind, text], at) => ({
      ...{ kind, text, fromRow: at, toRow: at + 1 },
      ...{ isHeadCut: false, isOpen: false, confidence: 1 },
    }));
    session.updateFromSnapshot({ messages, state, evidence: null, isCovered: false }, READING);
  }
  return session;
}

const marks = ({ messages }: PtyChatSession) => messages.map(doubtWords);
const ask = ['user', 'ask'] as const;
const answer = ['model', 'answer'] as const;

test('a prompt that the agent worked on without an answer is marked', () => {
  expect(marks(shown(['working', ask], ['idle', ask]))).toEqual(['may be incomplete: no answer to it was seen']);
});

test('the mark goes when the answer is drawn late', () => {
  expect(marks(shown(['working', ask], ['idle', ask], ['idle', ask, answer]))).toEqual([null, null]);
});

test('a prompt is not marked before the agent is seen at work', () => {
  expect(marks(shown(['idle', ask]))).toEqual([null]);
});

test('a prompt is not marked when the turn says why there is no answer', () => {
  expect(marks(shown(['working', ask], ['idle', ask, ['notice', 'interrupted']]))).toEqual([null, null]);
});

test('a conversation that ends at work marks its last prompt', () => {
  const session = shown(['working', ask]);
  session.end({ at: 2, atMs: 2 });
  expect(marks(session)).toEqual(['may be incomplete: no answer to it was seen']);
  expect(session.end({ at: 3, atMs: 3 })).toEqual([]);
});
