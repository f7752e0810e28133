import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlowHeights } from '../../../src-renderer/cards/list/flowHeights.ts';
import { CHUNK_LINES, ChunkColumn, MAX_BODY_PX, ScaledColumn } from '../../../src-renderer/cards/output/lineWindow.ts';

const heights = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 });
const changes = fc.array(fc.tuple(fc.nat(59), fc.integer({ min: 1, max: 900 })), { maxLength: 20 });

describe('a column of heights', () => {
  test('after any changes the offsets are the sums of the heights', () => {
    fc.assert(
      fc.property(heights, changes, (estimated, measured) => {
        const column = new FlowHeights(estimated.length, (at) => estimated[at] ?? 0);
        const now = [...estimated];
        for (const [at, px] of measured) {
          const before = now[at];
          const difference = column.set(at, px);
          if (before !== undefined) now[at] = px;
          expect(difference).toBe(before === undefined ? 0 : px - before);
        }
        const sums = now.map((_, at) => now.slice(0, at).reduce((sum, px) => sum + px, 0));
        expect(now.map((_, at) => column.offset(at))).toEqual(sums);
        expect(column.totalPx).toBe(now.reduce((sum, px) => sum + px, 0));
      }),
    );
  });

  test('a range holds exactly what the view touches, and the rest is beside it', () => {
    fc.assert(
      fc.property(heights, fc.integer({ min: -500, max: 20_000 }), fc.nat(2000), (px, from, view) => {
        const column = new FlowHeights(px.length, (at) => px[at] ?? 0);
        const { first, last, beforePx, afterPx } = column.range(from, from + view);
        const inside = column.offset(last) - column.offset(first);
        expect(beforePx + inside + afterPx).toBe(column.totalPx);
        for (let at = 0; at < px.length; at += 1) {
          const isTouched = column.offset(at) <= from + view && column.offset(at + 1) > from;
          if (isTouched) expect(at >= first && at < last).toBe(true);
        }
        expect(last).toBeGreaterThan(first);
      }),
    );
  });

  test('an empty column has no range', () => {
    expect(new FlowHeights(0, () => 9).range(0, 100)).toEqual({ first: 0, last: 0, beforePx: 0, afterPx: 0 });
  });
});

describe('chunks of lines', () => {
  test('the chunks are whole, follow each other, and none is asked for beyond the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(120_000), (lines, from) => {
        const { chunks } = new ChunkColumn(lines, 19).window(from, from + 700);
        const ends = chunks.map((chunk) => chunk.from + chunk.count);
        expect(chunks.slice(1).map((chunk) => chunk.from)).toEqual(ends.slice(0, -1));
        expect(ends.at(-1)).toBeLessThanOrEqual(lines);
        expect(chunks.every((chunk) => chunk.from === chunk.index * CHUNK_LINES && chunk.count > 0)).toBe(true);
      }),
    );
  });

  test('a measured chunk moves what is below it and nothing above', () => {
    const column = new ChunkColumn(1000, 19);
    const before = [50, 250, 450].map((n) => column.topOf(n));
    expect(column.measure(2, 4000)).toBe(true);
    expect(column.measure(2, 4000)).toBe(false);
    const moved = 4000 - 19 * CHUNK_LINES;
    expect([50, 450].map((n) => column.topOf(n))).toEqual([before[0], (before[2] ?? 0) + moved]);
  });
});

describe('a column too tall for the browser', () => {
  const size = fc.integer({ min: 1, max: 20_000_000 });

  test('every row can be reached, the last one whole at the very end, in a body the browser can lay out', () => {
    fc.assert(
      fc.property(
        size,
        fc.integer({ min: 100, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, view, share) => {
          const column = new ScaledColumn(rows, 19);
          expect(column.totalPx).toBeLessThanOrEqual(MAX_BODY_PX);
          const end = column.window(column.totalPx, view);
          expect(end.first + end.count).toBe(rows);
          const wanted = Math.floor(share * (rows - 1));
          const seen = column.window(column.scrollFor(wanted, view), view);
          expect(wanted >= seen.first - 1 && wanted < seen.first + seen.count).toBe(true);
        },
      ),
    );
  });

  test('the rows drawn cover the view wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_000, max: 20_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, share) => {
          const column = new ScaledColumn(rows, 19);
          const view = 770;
          const scroll = share * (column.totalPx - view);
          const { topPx, count } = column.window(scroll, view, 5);
          expect(topPx).toBeLessThanOrEqual(scroll + 0.01);
          expect(topPx + count * 19).toBeGreaterThanOrEqual(scroll + view - 0.01);
        },
      ),
    );
  });

  test('one that fits is not scaled', () => {
    const column = new ScaledColumn(1000, 19);
    expect([column.totalPx, column.ratio(700), column.window(1900, 700).first]).toEqual([19_000, 1, 100]);
  });
});
