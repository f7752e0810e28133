import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redrawSizes } from '../../src-main/pty/redrawSizes.ts';

test.each([
  [
    { cols: 80, rows: 24 },
    [
      [79, 24],
      [80, 24],
    ],
  ],
  [
    { cols: 2, rows: 1 },
    [
      [1, 1],
      [2, 1],
    ],
  ],
  [
    { cols: 1, rows: 24 },
    [
      [1, 23],
      [1, 24],
    ],
  ],
  [{ cols: 1, rows: 1 }, [[1, 1]]],
])('%j', (size, expected) => {
  expect(redrawSizes(size).map(({ cols, rows }) => [cols, rows])).toEqual(expected);
});

test('ends with the size itself, never goes below one cell, and differs by one line at most (law)', () => {
  const side = fc.integer({ min: 1, max: 1000 });
  fc.assert(
    fc.property(side, side, (cols, rows) => {
      const sizes = redrawSizes({ cols, rows });
      expect(sizes.at(-1)).toEqual({ cols, rows });
      for (const size of sizes) {
        expect(Math.min(size.cols, size.rows)).toBeGreaterThanOrEqual(1);
        expect(cols - size.cols + rows - size.rows).toBeLessThanOrEqual(1);
      }
    }),
  );
});
