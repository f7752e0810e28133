import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, cutToColumns, padToColumns } from '../../../src-main/cli/print/columns.ts';
import { formatTable } from '../../../src-main/cli/print/table.ts';

const line = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', '日', 'é', 'e\u0301', '👍🏽', '👨‍👩‍👧', 'ｱ', '한', '\u200b'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
});

describe('columnsOf', () => {
  test.each([
    ['', 0],
    ['plain', 5],
    ['日本語', 6],
    ['한국어', 6],
    ['Ｆｕｌｌ', 8],
    ['ｱｲｳ', 3],
    ['e\u0301te\u0301', 3],
    ['👍🏽', 2],
    ['👨‍👩‍👧', 2],
    ['☎\ufe0f', 2],
    ['→ ✓ …', 5],
    ['a\u200bb', 2],
  ])('%j takes %i columns', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe('cutToColumns', () => {
  test('never takes more room than there is', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 30 }), (text, room) => {
        expect(columnsOf(cutToColumns(text, room))).toBeLessThanOrEqual(room);
      }),
    );
  });

  test('leaves alone what fits', () => {
    fc.assert(
      fc.property(line, (text) => {
        expect(cutToColumns(text, Math.max(1, columnsOf(text)))).toBe(text);
      }),
    );
  });

  test.each([
    ['abcdef', 4, 'abc…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
  ])('%j in %i columns is %j', (text, room, cut) => {
    expect(cutToColumns(text, room)).toBe(cut);
  });
});

test('padToColumns counts columns, not characters', () => {
  expect(padToColumns('日本', 6)).toBe('日本  ');
});

describe('formatTable', () => {
  const columns = [
    { title: 'NAME', text: ({ name }: Row) => name },
    { title: 'N', text: ({ n }: Row) => String(n), alignRight: true },
    { title: 'TEXT', text: ({ text }: Row) => text, look: (cell: string) => `<${cell}>` },
  ];
  interface Row {
    name: string;
    n: number;
    text: string;
  }
  const rows: Row[] = [
    { name: '日本', n: 1, text: 'two\nlines and more than fits' },
    { name: 'x', n: 100, text: '\x1b[2J' },
  ];

  test('aligns by columns, escapes cells, and cuts the last one to the width', () => {
    expect(formatTable(columns, rows, 30)).toEqual([
      'NAME    N  TEXT',
      '日本    1  <two\\nlines and mor…>',
      'x     100  <\\e[2J>',
    ]);
  });

  test('cuts nothing where there is no width', () => {
    expect(formatTable(columns, rows, null)[1]).toBe('日本    1  <two\\nlines and more than fits>');
  });
});
