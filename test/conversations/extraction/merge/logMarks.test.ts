import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src-main/contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../../src-main/contract/chat/extractor.ts';
import { PtyChatSession } from '../../../../src-main/conversations/extraction/PtyChatSession.ts';
import { countedIds } from '../../../support/chatOfCast.ts';

const READING = { at: 1, atMs: 1000, seq: 1, extractor: 'x', extractorVersion: 1 };

function begun(): PtyChatSession {
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'x', cwd: '/w', blockId: 'b', at: 0, atMs: 0 });
  return session;
}

function screen(answer: string): Extraction {
  const place = { fromRow: 0, toRow: 1, isHeadCut: false, isOpen: false, confidence: 1 };
  const messages: ExtractedMessage[] = [
    { kind: 'user', text: 'go', ...place },
    { kind: 'model', text: answer, ...place },
  ];
  return { messages, state: 'idle', evidence: null, isCovered: false };
}

/** A session whose answer the agent log has judged. */
function judged(more: Partial<ChatMessage>): PtyChatSession {
  const session = begun();
  session.updateFromSnapshot(screen('the first words'), READING);
  session.put({ ...(session.messages[1] as ChatMessage), ...more });
  return session;
}

describe('what the agent log says of a message', () => {
  test.each(['contradicted', 'unlogged'] as const)('stays while the screen shows the same text: %s', (reason) => {
    const doubtful = { reason, from: 0, to: 15 };
    const session = judged({ doubtful });
    expect(session.updateFromSnapshot(screen('the first words'), READING)).toEqual([]);
    expect(session.messages[1]?.doubtful).toEqual(doubtful);
  });

  test.each([{ verified: true }, { doubtful: { reason: 'unlogged', from: 0, to: 15 } }] as const)(
    'holds for no other text: %o',
    (more) => {
      const session = judged(more);
      session.updateFromSnapshot(screen('the first words and more'), READING);
      const { text, verified, doubtful } = session.messages[1] as ChatMessage;
      expect({ text, verified, doubtful }).toEqual({ text: 'the first words and more' });
    },
  );

  test('is kept beside the same text', () => {
    const session = judged({ verified: true });
    session.updateFromSnapshot(screen('the first words'), READING);
    expect(session.messages[1]?.verified).toBe(true);
  });
});

describe('the id for resuming', () => {
  const ended = (resumeId?: string): { session: PtyChatSession; id: string } => {
    const session = begun();
    const id = session.current?.conversationId ?? '';
    session.end({ at: 2, atMs: 2000, ...(resumeId !== undefined && { resumeId }) });
    return { session, id };
  };

  test.each([undefined, 'ses_1'])('is the log’s if the exit showed %s', (shown) => {
    const { session, id } = ended(shown);
    const exit = session.events.at(-1);
    expect(session.resumable(id, 'ses_12')).toEqual([{ ...exit, resumeId: 'ses_12' }]);
    expect(session.events.at(-1)?.resumeId).toBe('ses_12');
    expect(session.resumable(id, 'ses_12')).toEqual([]);
  });

  test('is the exit’s if it showed another one, and none of a conversation without an exit', () => {
    const { session, id } = ended('ses_2');
    expect(session.resumable(id, 'ses_12')).toEqual([]);
    expect(session.resumable('another', 'ses_12')).toEqual([]);
  });
});
