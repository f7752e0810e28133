import { expect, test } from 'vitest';
import { isSameForm } from '../../../../src-main/conversations/extraction/reconcile/sameForm.ts';

test.each([
  ['signs of emphasis and of lists', 'an *old* __pier__\n\n* one\n* two', 'an _old_ **pier**\n\n- one\n- two'],
  ['line ends within a paragraph', 'one two\nthree', 'one\ntwo   three'],
  ['empty lines between items', '- one\n\n- two *x*', '- one\n- two *x*'],
  ['the language of code', '```ts\na\n```', '```\na\n```'],
  ['escapes that change nothing', '1\\. a \\* b', '1\\. a * b'],
  ['the padding of a table', '| a | b |\n|---|---|\n| 1 | 2 |', '|a|b|\n|-|-|\n|1|2|'],
])('%s make no difference', (_, a, b) => {
  expect(isSameForm(a, b)).toBe(true);
});

test.each([
  ['emphasis', 'an *old* pier', 'an old pier'],
  ['emphasis in a quotation', '> an *old* pier', '> an old pier'],
  ['the kind of emphasis', 'an *old* pier', 'an **old** pier'],
  ['code', 'run `ls`', 'run ls'],
  ['a heading’s level', '# Pier', '## Pier'],
  ['a paragraph’s end', 'one\n\ntwo', 'one two'],
  ['an item’s paragraph', '- one\n- two', '- one two'],
  ['the address of a link', '[pier](https://a.example)', '[pier](https://b.example)'],
  ['numbers of a list', '1. one', '- one'],
  ['a cell', '| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |\n|---|---|\n| 1 2 | |'],
  ['what is done', '- [x] one', '- [ ] one'],
])('%s makes one', (_, a, b) => {
  expect(isSameForm(a, b)).toBe(false);
});

test('texts that are no Markdown for people are compared by their words', () => {
  const deep = `${'> '.repeat(60)}one`;
  expect([isSameForm(deep, `${deep} `), isSameForm(deep, `${deep} two`)]).toEqual([true, false]);
});

test('a very long word before an @ takes no minutes', { timeout: 5_000 }, () => {
  const word = `${'a'.repeat(60_000)}@`;
  expect([isSameForm(word, `${word} `), isSameForm(word, `${word} two`)]).toEqual([true, false]);
});
