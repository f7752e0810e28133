import { expect, test } from 'vitest';
import { codexLog } from '../../../../src-main/conversations/extraction/extractors/agents/codex/ownLog.ts';

const record = (type: string, payload: object) =>
  JSON.stringify({ timestamp: '2026-11-22T02:59:33.000Z', type, payload });
const item = (type: string, id: string, text: string) =>
  record('event_msg', { type: 'item_completed', item: { type, id, content: [{ type: 'Text', text }] } });
const answer = (id: string, text: string) =>
  record('response_item', { type: 'message', role: 'assistant', id, content: [{ type: 'output_text', text }] });

/** Returns the messages of a log in the format of 0.169. */
function toldBy(...lines: string[]): string[] {
  const parser = codexLog.newParser();
  for (const line of lines) parser.feed(line);
  return parser.messages.map(({ kind, text }) => `${kind}: ${text}`);
}

test('the summary of a conversation that was compacted is nothing that the model said', () => {
  expect(
    toldBy(
      item('UserMessage', 'u1', 'first question'),
      item('AgentMessage', 'item_1', 'The first answer.'),
      answer('item_1', 'The first answer.'),
      answer('item_2', 'A summary.'),
      record('compacted', { message: 'A summary.' }),
    ),
  ).toEqual(['user: first question', 'model: The first answer.']);
});

test('a log without events of what was said tells it by its answers', () => {
  expect(
    toldBy(
      record('event_msg', { type: 'user_message', message: 'first question' }),
      answer('item_1', 'The first answer.'),
    ),
  ).toEqual(['user: first question', 'model: The first answer.']);
});
