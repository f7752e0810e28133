import { describe, expect, test } from 'vitest';
import { LastWords } from '../../../src-renderer/composer/line/LastWords.ts';
import { lastWord } from '../../../src-renderer/composer/line/lineWords.ts';

describe('the last word of a command', () => {
  test.each([
    ['ls -l src', 'src'],
    ['git commit -m "two words"', '"two words"'],
    ["printf '%s x' a\\ b", 'a\\ b'],
    ['make  ', 'make'],
    ['echo "open', '"open'],
    ['cat <<E\none two\nE', 'E'],
    ['', ''],
  ])('of %j is %j', (line, word) => {
    expect(lastWord(line)).toBe(word);
  });
});

describe('Alt+.', () => {
  const press = async (words: LastWords, line: { text: string; caret: number }) => {
    const edit = await words.next({ text: line.text, start: line.caret, end: line.caret });
    if (!edit) return line;
    const text = line.text.slice(0, edit.from) + edit.insert + line.text.slice(edit.to);
    return { text, caret: edit.from + edit.insert.length };
  };

  test('goes to older commands while it is pressed again, and begins again after another key', async () => {
    const words = new LastWords(async () => ['cat new.txt', 'ls new.txt', '', 'vim old.txt']);
    const first = await press(words, { text: 'cp ', caret: 3 });
    expect(first.text).toBe('cp new.txt');
    const second = await press(words, first);
    expect(second.text).toBe('cp old.txt');
    expect(await press(words, second)).toEqual(second); // the oldest word stays
    const typed = { text: 'cp old.txt ', caret: 11 };
    expect((await press(words, typed)).text).toBe('cp old.txt new.txt');
  });

  test('inserts at the caret and keeps what is behind it', async () => {
    const words = new LastWords(async () => ['ls a', 'ls b']);
    const first = await press(words, { text: 'cp  end', caret: 3 });
    expect(first.text).toBe('cp a end');
    expect((await press(words, first)).text).toBe('cp b end');
  });
});
