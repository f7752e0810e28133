import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, tokensOf } from '../../../src-main/store/index/foldText.ts';
import { parseWords, toMatch } from '../../../src-main/store/index/parseWords.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const words = (text: string) => tokensOf(text).map((token) => token.text);

describe('words of a text', () => {
  test.each([
    ['ASCII', 'npm test -- --run=berths_low2', ['npm', 'test', 'run', 'berths', 'low2']],
    ['accents and case', 'ÉCOLE Straße café', ['ecole', 'straße', 'cafe']],
    ['accents written apart', 'cafe\u0301', ['cafe']],
    ['Greek, whatever the sigma', 'ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
    ['the Turkish capital i', 'İstanbul', ['istanbul']],
    ['Chinese, a word each', '日本語のtest', ['日', '本', '語', 'の', 'test']],
    ['Korean, whole or in parts', '한국 \u1112\u1161\u11ab', ['한', '국', '한']],
    ['kana with marks apart', '\u304b\u3099', ['が']],
    ['full width', 'ＡＢＣ１', ['abc1']],
    ['emoji and signs', 'ok ✔️ 🚀→', ['ok', '✔', '🚀', '→']],
    ['neither boxes nor spinners', '│ ── ⠋ ░', []],
    ['Arabic and Hebrew', 'سلام שלום', ['سلام', 'שלום']],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('columns are those of the text as it stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const { start, end, text: word } of tokensOf(text)) expect(words(text.slice(start, end))).toEqual([word]);
      }),
    );
  });

  /** Splits words like FTS5's tokenizer `ascii`. */
  const asFts5Does = (text: string) => text.match(/[0-9A-Za-z\u0080-\u{10ffff}]+/gu)?.map(lower) ?? [];
  const lower = (word: string) => word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

  test('the index gets the words that are looked for in lines', () => {
    const text = fc
      .array(fc.constantFrom('é', 'a', '日', ' ', '-', '🚀', '№', 'e\u0301', 'ﬁ', '½', '\n', '│', '"'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (one) => {
        expect(asFts5Does(foldText(one))).toEqual(words(one));
      }),
      fuzzRuns(500),
    );
  });
});

describe('a query', () => {
  test.each([
    ['two words, the last may go on', 'berth tes', [['berth'], ['tes', '*']]],
    ['a space ends the last', 'berth tes ', [['berth'], ['tes']]],
    ['a phrase', '"low water" x', [['low', 'water'], ['x']]],
    ['a phrase that is not closed', 'a "low wat', [['a'], ['low', 'wat']]],
    ['a path', 'src/berths.ts:14', [['src', 'berths', 'ts', '14', '*']]],
    ['Chinese', '日本', [['日', '本']]],
    ['words of FTS5 are words', 'a NOT b OR NEAR(c)', [['a'], ['not'], ['b'], ['or'], ['near', 'c']]],
    ['nothing to look up', '-> "" :: *', []],
  ])('%s', (_, query, expected) => {
    expect(parseWords(query).map(({ words: all, isPrefix }) => (isPrefix ? [...all, '*'] : all))).toEqual(expected);
  });

  test('its expression holds no character of the language but quotes around words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        const match = toMatch(parseWords(query), ['cmd']);
        expect(match.replaceAll(/"[0-9a-z\u0080-\u{10ffff} ]*"/gu, 'W')).toMatch(
          /^\{cmd\} : \((W( \*)?( AND W( \*)?)*)?\)$/,
        );
      }),
    );
  });
});
