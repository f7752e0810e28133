import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChatEvent, ChatMessage } from '../../../../src-main/contract/chat/chat.ts';
import { json } from '../../../../src-main/conversations/extraction/exporters/json.ts';
import { jsonl } from '../../../../src-main/conversations/extraction/exporters/jsonl.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { anyDocument } from './conversation.ts';

/** Characters that could control a terminal or mislead a reader. */
const UNSAFE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

describe('JSON of a conversation', () => {
  test('holds all of it, exactly, and nothing that a terminal would obey (law)', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const text = json.write(document);
        const { messages, events, conversation } = JSON.parse(text) as {
          messages: ChatMessage[];
          events: ChatEvent[];
          conversation: unknown;
        };
        const lines = [...messages, ...events].sort((a, b) => a.order - b.order);
        expect(lines).toEqual(document.lines);
        expect(conversation).toEqual(document.conversation);
        expect(text).not.toMatch(UNSAFE);
      }),
      fuzzRuns(300),
    );
  });

  test('as lines it is what chat.jsonl has: each one is read by the contract and is the same (law)', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const text = jsonl.write(document);
        const lines = text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as object);
        expect(lines.map((line) => ('kind' in line ? ChatMessage.parse(line) : ChatEvent.parse(line)))).toEqual(
          document.lines,
        );
        expect(text).not.toMatch(UNSAFE);
      }),
      fuzzRuns(300),
    );
  });
});
