import { expect, test } from 'vitest';
import type { ChatDoubt } from '../../../../src-main/contract/chat/chat.ts';
import { html } from '../../../../src-main/conversations/extraction/exporters/html.ts';
import { json } from '../../../../src-main/conversations/extraction/exporters/json.ts';
import { markdown } from '../../../../src-main/conversations/extraction/exporters/markdown.ts';
import { documentOf, message } from './conversation.ts';

test.each([
  ['joined', 'may be incomplete'],
  ['repeated', 'may be a repetition'],
  ['unfinished', 'may be incomplete: its end was not seen'],
  ['unanswered', 'may be incomplete: no answer to it was seen'],
] as const)('a text that is %s is marked in every export', (reason, words) => {
  const doubtful: ChatDoubt = { reason, from: 0, to: 4 };
  const document = documentOf([message('model', 'text', { doubtful })]);
  expect(markdown.write(document)).toContain(`*${words}`);
  expect(html.write(document)).toContain(`<span class="doubt">${words}`);
  expect(JSON.parse(json.write(document)).messages[0].doubtful).toEqual(doubtful);
});

test('the own log leads where it differs, and the screen follows', () => {
  const document = documentOf([message('model', 'one three', { hasGap: true, log: { text: 'one two three' } })]);
  for (const text of [markdown.write(document), html.write(document)]) {
    const [label, whole, screen, broken] = ['own log', 'one two three', 'On the screen', 'one three'].map((part) =>
      text.indexOf(part),
    );
    expect([label, whole, screen].every((at) => (at ?? -1) >= 0)).toBe(true);
    expect(label).toBeLessThan(whole ?? 0);
    expect(whole).toBeLessThan(screen ?? 0);
    expect(screen).toBeLessThan(broken ?? 0);
    expect(text).not.toContain('never drawn');
  }
});
