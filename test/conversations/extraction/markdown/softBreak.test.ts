import { expect, test } from 'vitest';
import { withNumbers } from '../../../../src-main/conversations/extraction/extractors/agents/claude/listNumbers.ts';
import { jointOf } from '../../../../src-main/conversations/extraction/markdown/softBreak.ts';

test.each([
  ['a path that is broken behind a slash', 'see /usr/share/long/', 'and/more/of/it.txt', ''],
  ['a slash at the end of a word', 'either that or this/', 'that', ' '],
  ['two words', 'some words that', 'continue/here', ' '],
] as const)('%s', (_, line, next, joint) => {
  expect(jointOf(line, next, 22)).toBe(joint);
});

test('letters that count a list within a list are numbers, others stay', () => {
  const texts = ['- boats', '  a. ferry', '  b. tug', '     i. big', '  d. none', '', 'a. no list'];
  const rows = texts.map((text) => ({ text, spans: [{ text }], wrapped: false }));
  const told = withNumbers(rows);
  expect(told.map(({ text }) => text)).toEqual([
    '- boats',
    '  1. ferry',
    '  2. tug',
    '     1. big',
    '  d. none',
    '',
    'a. no list',
  ]);
  expect(told.map(({ spans }) => spans.map(({ text }) => text).join(''))).toEqual(told.map(({ text }) => text));
});
