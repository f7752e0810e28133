import { expect, test } from 'vitest';
import type { AgentState, ChatKind } from '../../../../src-main/contract/chat/chat.ts';
import type { Extraction } from '../../../../src-main/contract/chat/extractor.ts';
import { withCutShort } from '../../../../src-main/conversations/extraction/merge/cutShort.ts';
import { PtyChatSession } from '../../../../src-main/conversations/extraction/PtyChatSession.ts';
import { countedIds } from '../../../support/chatOfCast.ts';

const READING = { at: 1, atMs: 1, seq: 1, extractor: 'x', extractorVersion: 1 };
const LONG = Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ');

function shown(state: AgentState, ...said: (readonly [ChatKind, string])[]): Extraction {
  const messages = said.map(([kind, text], at) => ({
    ...{ kind, text, fromRow: at, toRow: at + 1 },
    ...{ isHeadCut: false, isOpen: state === 'working' && at === said.length - 1, confidence: 1 },
  }));
  return { messages, state, evidence: null, isCovered: false };
}

test.each([
  'Conversation interrupted - use /feedback if something went wrong',
  'Interrupted · What should Claude do instead?',
  'Request cancelled.',
  'interrupted',
  'Loop detection has been disabled for this session. Retrying request...',
])('an answer above "%s" is marked as unfinished', (notice) => {
  const { messages } = withCutShort(shown('idle', ['user', 'ask'], ['model', 'half of'], ['notice', notice]));
  expect(messages.map(({ doubt }) => doubt?.reason)).toEqual([undefined, 'unfinished', undefined]);
});

test('an answer above another notice is whole', () => {
  const whole = shown('idle', ['user', 'ask'], ['model', 'all of it'], ['notice', 'Context compacted']);
  expect(withCutShort(whole)).toBe(whole);
});

test('an answer that the agent takes from the screen stays, marked, before the next one', () => {
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
  session.updateFromSnapshot(shown('working', ['user', 'ask'], ['model', LONG]), READING);
  session.updateFromSnapshot(shown('working', ['user', 'ask'], ['model', 'Second answer.']), READING);
  session.updateFromSnapshot(shown('idle', ['user', 'ask'], ['model', 'Second answer.']), READING);
  expect(session.messages.map(({ text, doubtful }) => [text, doubtful?.reason])).toEqual([
    ['ask', undefined],
    [LONG, 'unfinished'],
    ['Second answer.', undefined],
  ]);
});

test('a finished answer is marked by what the agent says of it, not by rows that were joined below it', () => {
  const reasonsOf = (more: object) => {
    const session = new PtyChatSession('t', countedIds());
    session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
    const said = shown('idle', ['user', 'ask'], ['model', LONG]);
    session.updateFromSnapshot(said, READING);
    const doubt = { reason: 'unfinished' as const, from: LONG.length, to: LONG.length };
    const messages = said.messages.map((own) => (own.kind === 'model' ? { ...own, doubt, ...more } : own));
    session.updateFromSnapshot({ ...said, messages }, READING);
    return session.messages.map(({ doubtful }) => doubtful?.reason);
  };
  expect(reasonsOf({ isInSeamed: true })).toEqual([undefined, undefined]);
  expect(reasonsOf({ isStopped: true })).toEqual([undefined, 'unfinished']);
});

test.each(['notice', 'toolCall', 'toolResult'] as const)(
  'an answer that vanishes is not overwritten by a %s',
  (kind) => {
    const session = new PtyChatSession('t', countedIds());
    session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
    session.updateFromSnapshot(shown('working', ['user', 'ask'], ['model', '| name | words |']), READING);
    session.updateFromSnapshot(shown('idle', ['user', 'ask'], [kind, 'Request cancelled.']), READING);
    expect(session.messages.map(({ kind, text, doubtful }) => [kind, text, doubtful?.reason])).toEqual([
      ['user', 'ask', undefined],
      ['model', '| name | words |', 'unfinished'],
      [kind, 'Request cancelled.', undefined],
    ]);
  },
);
