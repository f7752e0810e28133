import { describe, expect, test } from 'vitest';
import { compilePattern, matchLines } from '../../src-main/search/lines/searchText.ts';

function spans(query: string, isRegex: boolean, lines: string[]) {
  const pattern = compilePattern(query, isRegex);
  return pattern.ok ? matchLines(pattern.pattern, lines).spans : pattern.error;
}

describe('searching text', () => {
  test.each([
    ['plain text is not a pattern', 'a.c', false, ['abc', 'a.c'], [null, [{ start: 0, end: 3 }]]],
    ['case is ignored', 'error', false, ['An ERROR'], [[{ start: 3, end: 8 }]]],
    ['unless the query has capitals', 'Error', false, ['An ERROR', 'Error'], [null, [{ start: 0, end: 5 }]]],
    [
      'every match of a line',
      'o',
      false,
      ['foo'],
      [
        [
          { start: 1, end: 2 },
          { start: 2, end: 3 },
        ],
      ],
    ],
    ['a pattern', '^\\d+$', true, ['12', 'a1'], [[{ start: 0, end: 2 }], null]],
    ['brackets as typed', 'f(x)[0]', false, ['f(x)[0]'], [[{ start: 0, end: 7 }]]],
  ])('%s', (_, query, isRegex, lines, expected) => {
    expect(spans(query, isRegex, lines)).toEqual(expected);
  });

  test('a wrong pattern is told in words', () => {
    expect(spans('(', true, ['x'])).toMatch(/Unterminated group|Invalid regular expression/);
  });

  test('a catastrophic pattern is cut off (B67)', () => {
    const compiled = compilePattern('^(a+)+$', true);
    if (!compiled.ok) throw new Error(compiled.error);
    const lines = ['aa', `${'a'.repeat(40)}!`, 'a'];
    const whole = [{ start: 0, end: 2 }];
    expect(matchLines(compiled.pattern, lines)).toEqual({ spans: [whole, null, null], slowLine: 1 });
  });

  test('a pattern cannot reach out of its context', () => {
    const evil = '"); globalThis.process.exit(3); ("';
    expect(spans(evil, false, [evil])).toEqual([[{ start: 0, end: evil.length }]]);
  });
});
