import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StyledSpan } from '../../../../src-main/contract/block.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import type { Looks } from '../../../../src-main/conversations/extraction/markdown/inline.ts';
import { restoreMarkdown } from '../../../../src-main/conversations/extraction/markdown/restoreMarkdown.ts';
import { columnsOf, cutRow } from '../../../../src-main/conversations/extraction/markdown/spans.ts';

const LOOKS: Looks = { isCode: (fg) => fg === '#b1b9f9', isSyntax: (fg) => typeof fg === 'number' };
const COLS = 40;

function row(...spans: (string | StyledSpan)[]): FrameRow {
  const own = spans.map((span) => (typeof span === 'string' ? { text: span } : span));
  return { text: own.map(({ text }) => text).join(''), spans: own, wrapped: false };
}
const restored = (...rows: FrameRow[]) => restoreMarkdown(rows, COLS, LOOKS);

describe('Markdown from looks', () => {
  test('bold, italic, struck, code and links, with their spaces outside of the marks', () => {
    const line = row(
      { text: 'very ', bold: true },
      { text: 'x', fg: '#b1b9f9' },
      ' ',
      { text: 'so', italic: true },
      ' ',
      { text: 'no', strike: true },
      ' ',
      { text: 'here', href: 'https://a.example' },
    );
    expect(restored(line)).toBe('**very** `x` *so* ~~no~~ [here](https://a.example)');
  });

  test('a line alone and bold is a heading; one that ends a sentence is a bold sentence', () => {
    expect(restored(row({ text: 'Details', bold: true }))).toBe('## Details');
    expect(restored(row({ text: 'Top', bold: true, italic: true, underline: true }))).toBe('# Top');
    expect(restored(row({ text: 'Stop.', bold: true }))).toBe('**Stop.**');
  });

  test('highlighted code is one fence over its blank lines, at its own indent', () => {
    const code = [row('  ', { text: 'if', fg: 12 }, ' (x) {'), row(''), row('    ', { text: 'y', fg: 6 }), row('  }')];
    expect(restored(row('See:'), row(''), ...code)).toBe('See:\n\n```\nif (x) {\n\n  y\n}\n```');
  });

  test('a table is a table, cells that wrapped joined, bars escaped', () => {
    const table = [
      '┌───┬────┐',
      '│ a │ b  │',
      '├───┼────┤',
      '│ 1 │ x  │',
      '│   │ y  │',
      '├───┼────┤',
      '│ 2 │ z  │',
      '└───┴────┘',
    ];
    expect(restored(...table.map((text) => row(text)))).toBe('| a | b |\n| --- | --- |\n| 1 | x y |\n| 2 | z |');
  });

  test('list items stay lines, a bar is a quote', () => {
    expect(restored(row('1. one'), row('2. two'), row(''), row('• dot'), row(''), row('▎ said'))).toBe(
      '1. one\n2. two\n\n- dot\n\n> said',
    );
  });
});

test('each line of a quote that is drawn with its marks stays a line, wrapped or not', () => {
  const lines = [
    '> ribbon kitten copper meadow button',
    'saddle.',
    '> island violin lantern meadow lemon',
    'kitten',
    '> 2',
  ];
  expect(restored(...lines.map((line) => row(line)))).toBe(
    '> ribbon kitten copper meadow button saddle.\n> island violin lantern meadow lemon kitten\n> 2',
  );
});

describe('soft wraps', () => {
  // Words start and end with Latin letters, because there is hardly ever a space between two CJK characters at a line break.
  const words = fc.array(fc.stringMatching(/^[a-z](?:[a-z日本語]{0,10}[a-z])?$/u), { minLength: 1, maxLength: 40 });

  test('running text without spaces, broken anywhere, reads as before', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[日本語はな]{1,120}$/u), (text) => {
        const lines = text.match(/.{1,20}/gu) ?? [];
        expect(restored(...lines.map((line) => row(line)))).toBe(text);
      }),
    );
  });

  test('a word broken at its hyphen is one word again, a dash between words stays one', () => {
    expect(restored(row('the command created the file made-by-'), row('agent.txt'))).toBe(
      'the command created the file made-by-agent.txt',
    );
    expect(restored(row('a sentence that has a dash in it here -'), row('and goes on'))).toBe(
      'a sentence that has a dash in it here - and goes on',
    );
  });

  test('what was wrapped word by word reads as before', () => {
    fc.assert(
      fc.property(words, (all) => {
        const lines: string[] = [];
        for (const word of all) {
          const line = lines.at(-1);
          if (line !== undefined && columnsOf(`${line} ${word}`) <= COLS) lines[lines.length - 1] = `${line} ${word}`;
          else lines.push(word);
        }
        expect(restored(...lines.map((line) => row(line)))).toBe(all.join(' '));
      }),
    );
  });

  test('words of one look stay one stretch over the break', () => {
    const text = [
      row('a line with so many words that ', { text: 'two in', italic: true }),
      row({ text: 'italics', italic: true }, ' end it'),
    ];
    expect(restored(...text)).toBe('a line with so many words that *two in italics* end it');
  });

  test('running text that was broken behind one of its marks, long before the edge, gets no space', () => {
    expect(restored(row('日本語の文章、'), row('これは長い段落で、端末の幅が百桁でも'))).toBe(
      '日本語の文章、これは長い段落で、端末の幅が百桁でも',
    );
  });

  test('nor behind a narrow mark', () => {
    expect(restored(row('中文也是这样:每个字占两列,'), row('所以一行只能放下一半的字数。这一段'))).toBe(
      '中文也是这样:每个字占两列,所以一行只能放下一半的字数。这一段',
    );
  });

  test('short lines are lines of their own', () => {
    expect(restored(row('one'), row('two'))).toBe('one\ntwo');
  });
});

test.each([
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['👍🏽', 2],
  ['❤️', 2],
  ['日本', 4],
  ['é', 1],
])('%s takes %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test('a row cut at its left is the rest of its text, looks kept', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), fc.nat(30), (texts, chars) => {
      const whole = row(...texts.map((text) => ({ text, bold: true as const })));
      const cut = cutRow(whole, chars);
      expect(cut.text).toBe(whole.text.slice(chars));
      expect(cut.spans.map(({ text }) => text).join('')).toBe(cut.text);
      expect(cut.spans.every(({ bold }) => bold)).toBe(true);
    }),
  );
});
