import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonStart, completionPlace, finishedWord, quoteWord } from '../../../src-renderer/composer/completion.ts';

/** `|` is the caret. */
function at(text: string) {
  const caret = text.indexOf('|');
  const { kinds, word, from } = completionPlace(text.replace('|', ''), caret);
  return [kinds.join('+'), word, from];
}

describe('what is completed', () => {
  test.each([
    ['gi|', ['commands', 'gi', 0]],
    ['FOO=1 sudo gi|', ['commands', 'gi', 11]],
    ['./scr|', ['files', './scr', 0]],
    ['cat src/ti|', ['files', 'src/ti', 4]],
    ['cat a; gre|p x', ['commands', 'gre', 7]],
    ['ls && ca|', ['commands', 'ca', 6]],
    ['(cd x; v|', ['commands', 'v', 7]],
    ['cat < in|', ['files', 'in', 6]],
    ['>lo|', ['files', 'lo', 1]],
    ['cat <in mo|', ['files', 'mo', 8]],
    ['git checkout fe|', ['branches+files', 'fe', 13]],
    ['git add sr|', ['files', 'sr', 8]],
    ['cat two\\ wo|', ['files', 'two wo', 4]],
    ['cat "two wo|', ['files', 'two wo', 4]],
    ["cat 'it|", ['files', 'it', 4]],
    ['first\nsec|', ['commands', 'sec', 6]],
    ['cat |', ['files', '', 4]],
  ])('%j', (text, expected) => {
    expect(at(text)).toEqual(expected);
  });
});

const fileName = fc.string({
  unit: fc.constantFrom('a', 'é', ' ', "'", '"', '$', '`', '\\', '(', '&', '*', '/', '漢', '-'),
  minLength: 1,
});

describe('what is put in', () => {
  test('a quoted word is read back as the word itself, in every kind of quotes', () => {
    fc.assert(
      fc.property(fileName, fc.constantFrom('', '"', "'") as fc.Arbitrary<'' | '"' | "'">, (name, quote) => {
        const line = `cat ${quoteWord(name, quote)}`;
        expect(completionPlace(line, line.length).word).toBe(name);
      }),
    );
  });

  test.each([
    ['src/', '', 'src/'],
    ['two words', '', 'two\\ words '],
    ['two words', '"', '"two words" '],
    ['~/notes', '', '~/notes '],
  ] as const)('%j in %j quotes becomes %j', (value, quote, expected) => {
    expect(finishedWord(value, quote)).toBe(expected);
  });

  test('the common start is a start of each word and cannot be longer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 }), { minLength: 1, maxLength: 5 }),
        (words) => {
          const start = commonStart(words);
          expect(words.every((word) => word.startsWith(start))).toBe(true);
          const next = new Set(words.map((word) => word.charAt(start.length)));
          expect(next.size > 1 || next.has('')).toBe(true);
        },
      ),
    );
  });
});
