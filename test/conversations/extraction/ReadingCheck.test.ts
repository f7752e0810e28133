import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentState, ChatEvent, ChatKind, ChatLine, Conversation } from '../../../src-main/contract/chat/chat.ts';
import { readingWords, versionWords } from '../../../src-main/contract/chat/versionWords.ts';
import { ConversationList } from '../../../src-main/conversations/extraction/conversations.ts';
import { html } from '../../../src-main/conversations/extraction/exporters/html.ts';
import { json } from '../../../src-main/conversations/extraction/exporters/json.ts';
import { markdown } from '../../../src-main/conversations/extraction/exporters/markdown.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { documentOf, message } from './exporters/conversation.ts';

/** Builds a conversation from one word per line: a state, a kind of message, `start` or `exit`. */
function read(words: readonly string[], ranMs = 60_000): Conversation {
  const list = new ConversationList((agent) => agent);
  const stepMs = ranMs / Math.max(1, words.length - 1);
  for (const [order, word] of words.entries()) list.apply(lineOf(word, order, order * stepMs));
  const [conversation] = list.all;
  if (!conversation) throw new Error('no conversation');
  return conversation;
}

function lineOf(word: string, order: number, atMs: number): ChatLine {
  const named = { id: `${order}`, terminalId: 't', conversationId: 'c', order };
  const event = (more: Pick<ChatEvent, 'type'> & Partial<ChatEvent>): ChatLine => ({
    ...named,
    at: order,
    atMs,
    ...more,
  });
  if (word === 'start') return event({ type: 'cli:newSession', agent: 'claude' });
  if (word === 'exit') return event({ type: 'cli:exit' });
  if (['idle', 'working', 'starting', 'unknown', 'needs_approval'].includes(word))
    return event({ type: 'stateChanged', state: word as AgentState, evidence: null });
  return message(word as ChatKind, 'x', { ...named, final: true });
}

describe('an agent of which nothing was read', () => {
  test.each([
    ['worked and rests', ['start', 'idle', 'working', 'idle'], 'unread'],
    ['worked until its end', ['start', 'working', 'exit'], 'unread'],
    ['was never understood', ['start', 'starting', 'welcome', 'exit'], 'unread'],
    ['still works', ['start', 'idle', 'working'], undefined],
    ['was asked nothing', ['start', 'idle', 'exit'], undefined],
    ['was asked something', ['start', 'idle', 'user', 'working', 'model', 'idle', 'exit'], undefined],
  ])('%s', (_, words, doubt) => {
    expect(read(words).doubt).toBe(doubt);
  });

  test('is no matter where a program ended at once', () => {
    expect(read(['start', 'starting', 'exit'], 300).doubt).toBeUndefined();
  });

  test('is named in every export', () => {
    const { doubt } = read(['start', 'working', 'exit']);
    const document = documentOf([], { ...(doubt && { doubt }), messages: 0 });
    const words = readingWords(document.conversation) ?? 'no words';
    expect(words).toContain('nothing could be read');
    expect(markdown.write(document)).toContain(words);
    expect(html.write(document)).toContain(words);
    expect(json.write(document)).toContain('"doubt": "unread"');
  });
});

/** A turn with lines in any order: the prompt can follow the state, the last words can follow the end of the work. */
const turn = fc.record({ isPromptLate: fc.boolean(), isAnswerLate: fc.boolean(), flickers: fc.nat(2) });

test('raises no doubt where every turn has a prompt, and one where a turn has none', () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), fc.nat(4), (turns, at) => {
      const words = turns.map(({ isPromptLate, isAnswerLate, flickers }) => [
        ...(isPromptLate ? ['working', 'user'] : ['user', 'working']),
        ...Array.from({ length: flickers }, () => ['needs_approval', 'working']).flat(),
        ...(isAnswerLate ? ['idle', 'model'] : ['model', 'idle']),
      ]);
      expect(read(['start', 'idle', ...words.flat(), 'exit']).doubt).toBeUndefined();
      const unasked = words.map((own, place) =>
        place === at % turns.length ? ['working', 'toolCall', 'model', 'idle'] : own,
      );
      expect(read(['start', 'idle', ...unasked.flat(), 'exit']).doubt).toBe('unasked');
    }),
    fuzzRuns(100),
  );
});

test('says that the version is not known', () => {
  const known = read(['start', 'idle']);
  expect(versionWords(known)).toBe('claude, version unknown: not checked');
  expect(versionWords({ ...known, version: '1.2.3' })).toBe('claude 1.2.3: not checked');
  expect(versionWords({ ...known, state: 'starting' })).toBe('claude');
});
