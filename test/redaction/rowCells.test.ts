import { expect, test } from 'vitest';
import { cellsOf, unitsWithin } from '../../src-main/redaction/rowCells.ts';

test.each([
  ['abc', 3],
  ['漢字sel', 7],
  ['e\u0301x', 2],
  ['👩‍👩‍👧 ', 3],
  ['', 0],
])('%s takes %i cells', (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

test.each([
  ['abcdef', 1, 3, 'bcd'],
  ['abc', 2, 9, 'c'],
  ['abc', 5, 9, ''],
  ['abc', 2, 1, ''],
  ['漢字sel', 0, 3, '漢字'],
  ['漢字sel', 1, 4, '字s'],
  ['漢字sel', 1, 2, ''],
  ['a漢b', 0, 1, 'a'],
  ['e\u0301x', 0, 0, 'e\u0301'],
])('of %s the columns %i to %i show %s', (text, left, right, shown) => {
  const { from, to } = unitsWithin(text, left, right);
  expect(text.slice(from, to)).toBe(shown);
});
