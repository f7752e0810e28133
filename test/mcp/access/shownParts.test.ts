import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownParts } from '../../../src-main/mcp/access/shownParts.ts';

test.each([
  ['an escape', '\x1b[2K', '␛'],
  ['a tab', 'a\tb', '⇥'],
  ['a line end', 'a\nb', '⏎'],
  ['a bidi override', '\u202e', 'U+202E'],
  ['a zero-width space', '\u200b', 'U+200B'],
  ['a tag character', '\u{e0041}', 'U+E0041'],
  ['a variation selector', 'x\ufe0f', 'U+FE0F'],
  ['a blank that is no space', 'rm\u00a0x', 'U+00A0'],
  ['a Hangul filler', '\u3164', 'U+3164'],
  ['half of a pair', '\ud800', 'U+D800'],
  ['blanks that push the rest out of sight', `ls${' '.repeat(200)}; rm x`, '␣×200'],
])('%s is shown by name', (_, text, name) => {
  expect(shownParts(text).filter(({ hidden }) => hidden)).toContainEqual({ text: name, hidden: true });
});

test('law: what is not hidden can be seen, and nothing is left out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const parts = shownParts(text);
      const seen = parts.filter(({ hidden }) => !hidden).map((part) => part.text);
      expect(seen.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}]/u);
      const left = text.replace(/ {9,}/g, '');
      expect(seen.join('').length).toBeLessThanOrEqual(left.length);
      if (parts.every(({ hidden }) => !hidden)) expect(seen.join('')).toBe(text);
    }),
  );
});
