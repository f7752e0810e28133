import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChatKind, type ChatLine } from '../../../src-main/contract/chat/chat.ts';
import { ConversationList } from '../../../src-main/conversations/extraction/conversations.ts';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import { countedIds } from '../../support/chatOfCast.ts';
import { message } from './exporters/conversation.ts';

const KINDS = ChatKind.options;

test('counts no more messages as verified than can be verified', () => {
  const version = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    kind: fc.constantFrom(...KINDS),
    final: fc.boolean(),
    verified: fc.option(fc.boolean(), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(version), (versions) => {
      const list = new ConversationList((agent) => agent);
      for (const { verified, kind, ...rest } of versions) {
        const told = list.apply(message(kind, 'x', { ...rest, ...(verified !== undefined && { verified }) }));
        expect(told.verified).toBeGreaterThanOrEqual(0);
        expect(told.verified).toBeLessThanOrEqual(told.verifiable);
      }
    }),
  );
});

test('a conversation that /clear ended is cleared, and stays so', () => {
  const session = new PtyChatSession('t', countedIds());
  const list = new ConversationList((agent) => agent);
  const lines = session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
  lines.push(...session.noted({ type: 'stateChanged', state: 'idle', evidence: null }, { at: 1, atMs: 1 }));
  lines.push(...session.cleared({ at: 2, atMs: 2 }));
  lines.push(...session.noted({ type: 'stateChanged', state: 'working', evidence: null }, { at: 3, atMs: 3 }));
  for (const line of lines) list.apply(line);
  expect(list.all.map(({ state }) => state)).toEqual(['cleared', 'working']);
});

test('records a clear after a conversation once and leaves the conversation unchanged', () => {
  const session = new PtyChatSession('t', countedIds());
  expect(session.screenCleared({ at: 0, atMs: 0 })).toEqual([]);
  const list = new ConversationList((agent) => agent);
  const begun = session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
  const ended = session.end({ at: 1, atMs: 1 });
  const cleared = session.screenCleared({ at: 5, atMs: 5 });
  expect(cleared).toMatchObject([{ type: 'screenCleared', at: 5, conversationId: begun[0]?.conversationId }]);
  expect(session.screenCleared({ at: 6, atMs: 6 })).toEqual([]);
  for (const line of [...begun, ...ended, ...cleared]) list.apply(line);
  expect(list.all[0]).toMatchObject({ state: 'exited', updatedMs: 1 });
});

describe('the title that a person gives', () => {
  const session = new PtyChatSession('t', countedIds());
  const begun = session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
  const conversationId = begun[0]?.conversationId ?? '';
  const asked = message('user', 'Mend it\nplease', { conversationId, order: 5 });
  const titleOf = (lines: readonly ChatLine[]): string => {
    const list = new ConversationList((agent) => agent);
    for (const line of lines) list.apply(line);
    return list.get(conversationId)?.title ?? '';
  };

  test('comes before that of the first prompt, which an empty one gives back', () => {
    expect(titleOf([...begun, asked])).toBe('Mend it');
    const named = session.titled(conversationId, 'The leak');
    expect(titleOf([...begun, asked, ...named])).toBe('The leak');
    expect(titleOf([...named, asked])).toBe('The leak'); // in the order of a restart
    expect(titleOf([...begun, asked, ...named, ...session.titled(conversationId, '')])).toBe('Mend it');
  });

  test('stays when the version of the agent becomes known, and has one line of 120 characters', () => {
    const [named] = session.titled(conversationId, `${'long '.repeat(40)}\nmore`);
    expect(session.versioned('1.2.3')).toEqual([{ ...named, version: '1.2.3' }]);
    expect(titleOf(named ? [named] : [])).toHaveLength(120);
  });

  test('is not given to a conversation that is not there', () => {
    expect(session.titled('another', 'x')).toEqual([]);
  });
});
