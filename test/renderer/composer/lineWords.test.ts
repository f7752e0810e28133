import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bigWordStart, wordBefore, wordStart } from '../../../src-renderer/composer/line/lineWords.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'é', '7', '_', ' ', '\n', '-', '👩', '\u{1d4d0}'), maxLength: 12 });

test('a word begins where an expression finds it', () => {
  fc.assert(
    fc.property(line, (text) => {
      const found = (word: RegExp) => text.length - (word.exec(text)?.[0].length ?? 0);
      expect(wordStart(text, text.length)).toBe(found(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u));
      expect(bigWordStart(text, text.length)).toBe(found(/\S*\s*$/u));
      expect(wordBefore(text, text.length)).toBe(/(?<!\S)\S*$/u.exec(text)?.[0]);
    }),
  );
});

test('a word behind a very long one is found as soon as any other', { timeout: 5000 }, () => {
  const text = `${'a'.repeat(50_000)} b c`;
  expect([wordStart(text, text.length), bigWordStart(text, text.length)]).toEqual([50_003, 50_003]);
});
