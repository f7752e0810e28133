import { expect, test } from 'vitest';
import { redactChat } from '../../src-main/redaction/redactChat.ts';
import { documentOf, event, message } from '../conversations/extraction/exporters/conversation.ts';

const SECRET = `ghp_${'A1b2C3d4E5'.repeat(3)}A1b2C3`;

test('no text of a conversation keeps a secret, each is counted once, and the rest is as it was', () => {
  const evidence = { by: 'screen' as const, rule: 'r', line: SECRET };
  const lines = [
    message('user', SECRET),
    message('model', 'nothing', { log: { text: SECRET, input: SECRET, output: SECRET } }),
    message('toolCall', SECRET, { tool: { name: 'Bash', input: SECRET, output: SECRET, status: 'done' } }),
    { ...event('stateChanged'), evidence, cwd: SECRET },
  ];
  const { conversation } = documentOf(lines, { title: SECRET, cwd: SECRET, evidence });
  const redacted = redactChat(conversation, lines);
  expect(redacted.count).toBe(9);
  const marked = JSON.stringify({ conversation, lines }).replaceAll(SECRET, '[redacted: github token]');
  expect({ conversation: redacted.conversation, lines: redacted.lines }).toEqual(JSON.parse(marked));
});

test('the title keeps no part of a secret that was cut with it', () => {
  const titled = (title: string) => redactChat(documentOf([], { title }).conversation, []).conversation.title;
  expect(titled(`use ${SECRET.slice(0, 20)}…`)).toBe('use …');
  expect(titled('look at the large words…')).toBe('look at the large words…');
});
