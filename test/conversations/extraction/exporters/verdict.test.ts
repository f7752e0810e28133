import { expect, test } from 'vitest';
import type { ChatVerdict } from '../../../../src-main/contract/chat/chat.ts';
import { html } from '../../../../src-main/conversations/extraction/exporters/html.ts';
import { json } from '../../../../src-main/conversations/extraction/exporters/json.ts';
import { markdown } from '../../../../src-main/conversations/extraction/exporters/markdown.ts';
import { redactChat } from '../../../../src-main/redaction/redactChat.ts';
import { messageText } from '../../../../src-main/store/index/docs.ts';
import { documentOf, message, START_MS } from './conversation.ts';

const asked = (verdict?: ChatVerdict) =>
  message('permission', 'Run it?\n1. Yes\n2. No', {
    question: { options: ['Yes', 'No'], ...(verdict && { verdict }) },
  });
const verdict = (choice: string | null, by: string | null): ChatVerdict => ({ choice, by, atMs: START_MS });

test.each([
  [verdict('Yes', 'user'), 'Answered by the user: Yes'],
  [verdict('No', 'agent:desk'), 'Answered by desk: No'],
  [verdict(null, 'user'), 'Answered by the user, choice not seen'],
  [verdict(null, null), 'Answered, choice not seen'],
])('exports and the search say how a question was answered: %o', (own, words) => {
  const document = documentOf([asked(own)]);
  expect(markdown.write(document)).toContain(`**${words}**`);
  expect(html.write(document)).toContain(`<p class="verdict">${words}</p>`);
  expect(JSON.parse(json.write(document)).messages[0].question).toEqual({ options: ['Yes', 'No'], verdict: own });
  expect(messageText(asked(own)).includes(`Answered: ${own.choice}`)).toBe(own.choice !== null);
});

test('an open question has no answer', () => {
  expect(markdown.write(documentOf([asked()]))).not.toContain('Answered');
  expect(html.write(documentOf([asked()]))).not.toContain('class="verdict"');
});

test('a secret in an option or an answer is redacted', () => {
  const secret = `Yes, with GITHUB_TOKEN=ghp_${'a1B2'.repeat(9)}`;
  const line = message('permission', 'Run it?', { question: { options: [secret], verdict: verdict(secret, 'user') } });
  const redacted = redactChat(documentOf([]).conversation, [line]).lines[0];
  expect(JSON.stringify(redacted)).not.toContain('ghp_');
});
