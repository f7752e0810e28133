import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandWords } from '../../../src-renderer/composer/commandWords.ts';

const words = (text: string) => commandWords(text).map(({ word }) => word);

test.each([
  ['gti status', ['gti']],
  ['  gti', ['gti']],
  ['A=1 B=two gti x', ['gti']],
  ['cat x | gerp y | wc -l', ['cat', 'gerp', 'wc']],
  ['cat x |& gerp', ['cat', 'gerp']],
  ["echo 'a | b' | gerp", ['echo', 'gerp']],
  ['echo "a | b" | gerp', ['echo', 'gerp']],
  ['a > out.txt | b', ['a', 'b']],
  ['a 2>&1 | b', ['a', 'b']],
  ['source x; gti', ['source']],
  ['cd x && gti', ['cd']],
  ['a || b', ['a']],
  ['a & b', ['a']],
  ['a\nb', ['a']],
  ['gti() { :; }', []],
  ['gti () { :; }', []],
  ['$EDITOR x', ['$EDITOR']],
  ['"my tool" x', []],
  ['my\\ tool x', []],
  ['`which ls` x', []],
  ['$(which ls) x', []],
  ['(gti)', []],
  ['{ gti; }', []],
  ['# gti', []],
  ['cat <<END | gti', ['cat']],
  ['echo "$(gti)" | x', ['echo']],
  ["echo 'open", ['echo']],
  ['', []],
])('the commands of %j that would be looked for are %j', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test('each word is where it says, and any text is read without harm', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab |&;<>()$`"\'\\\n\t#={}1'), maxLength: 40 });
  fc.assert(
    fc.property(text, (line) => {
      let last = 0;
      for (const { word, from, to } of commandWords(line)) {
        expect(line.slice(from, to)).toBe(word);
        expect(from).toBeGreaterThanOrEqual(last);
        expect(word).not.toMatch(/[\s|;()`"'\\]/);
        last = to;
      }
    }),
  );
});
