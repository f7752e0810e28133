import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatChange, ChatMessage, Conversation } from '../../../src-main/contract/chat/chat.ts';
import { ChatDeltaReader, ChatDeltaSender } from '../../../src-main/shared/chat/chatDeltas.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const message = (id: string, text: string, final = false, order = 1) =>
  ({ id, text, final, order, kind: 'model', conversationId: 'c', tools: [] }) as unknown as ChatMessage;
const conversation = (title: string) => ({ id: 'c', title }) as unknown as Conversation;

/** Texts that grow, shrink and change, with surrogate pairs cut anywhere. */
const text = fc
  .array(fc.constantFrom('a', 'word ', '\n', '\u{1f600}', 'e\u0301', '\u6f22'), { maxLength: 12 })
  .map((parts) => parts.join(''));
const change: fc.Arbitrary<ChatChange> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('m1', 'm2'), text, fc.boolean(), fc.nat(2))
      .map(([id, said, final, order]): ChatChange => ({ type: 'message', message: message(id, said, final, order) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('a', 'b')
      .map((title): ChatChange => ({ type: 'conversation', conversation: conversation(title) })),
  },
);
const overTheLine = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

test('what is read is what was sent, message by message (law)', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const [sender, reader] = [new ChatDeltaSender(), new ChatDeltaReader()];
      for (const one of changes) {
        const delta = sender.next(one);
        if (one.type === 'message') expect(delta && reader.next(overTheLine(delta))).toEqual(one);
        else if (delta) expect(reader.next(overTheLine(delta))).toEqual(one);
      }
    }),
    fuzzRuns(300),
  );
});

test('a message that grows is sent as what it grew by', () => {
  const sender = new ChatDeltaSender();
  sender.next({ type: 'message', message: message('m1', 'a'.repeat(50_000)) });
  const grown = sender.next({ type: 'message', message: message('m1', `${'a'.repeat(50_000)} and more`) });
  expect(grown).toEqual({ type: 'delta', id: 'm1', at: 50_000, text: ' and more' });
});

test('a conversation is sent when it is not as it was, and not again', () => {
  const sender = new ChatDeltaSender();
  const sent = ['a', 'a', 'b', 'a'].map((title) =>
    sender.next({ type: 'conversation', conversation: conversation(title) }),
  );
  expect(sent.map((one) => one !== null)).toEqual([true, false, true, true]);
});

test('a difference to a message that never came is an error', () => {
  expect(() => new ChatDeltaReader().next({ type: 'delta', id: 'm1', at: 0, text: 'x' })).toThrow('came before');
});
