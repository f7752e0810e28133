import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LiveBuffer, liveClip, roomClip, takesWheel } from '../../../src-renderer/terminal/liveClip.ts';

const buffer = (change: Partial<LiveBuffer>): LiveBuffer => ({
  rows: 10,
  baseLine: 0,
  viewLine: 0,
  lastLine: 5,
  endsEmpty: false,
  ...change,
});

describe('the rows of a card', () => {
  test.each([
    ['starts below the prompt', buffer({}), 2, undefined, { skipRows: 2, rows: 4, hangsRow: false }],
    [
      'hangs the empty row of the cursor',
      buffer({ endsEmpty: true }),
      2,
      undefined,
      { skipRows: 2, rows: 4, hangsRow: true },
    ],
    [
      'fills the view once it is longer',
      buffer({ baseLine: 30, viewLine: 30, lastLine: 39 }),
      5,
      undefined,
      { skipRows: 0, rows: 10, hangsRow: false },
    ],
    [
      'scrolled back to its start',
      buffer({ baseLine: 30, viewLine: 5, lastLine: 39 }),
      5,
      undefined,
      { skipRows: 0, rows: 10, hangsRow: false },
    ],
    ['ends where the command ended', buffer({ lastLine: 7 }), 2, 4, { skipRows: 2, rows: 2, hangsRow: false }],
    [
      'is empty before anything is printed',
      buffer({ lastLine: 2, endsEmpty: true }),
      2,
      undefined,
      { skipRows: 2, rows: 1, hangsRow: true },
    ],
    [
      'has left the view',
      buffer({ baseLine: 30, viewLine: 30, lastLine: 39 }),
      5,
      20,
      { skipRows: 0, rows: 0, hangsRow: false },
    ],
  ] as const)('%s', (_, now, first, end, clip) => {
    expect(liveClip(now, first, end)).toEqual(clip);
  });

  test('never show more than the view has', () => {
    const side = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(
        side,
        side,
        side,
        fc.option(side, { nil: undefined }),
        fc.boolean(),
        (view, last, first, end, endsEmpty) => {
          const now = buffer({ viewLine: view, baseLine: view, lastLine: last, endsEmpty });
          const { skipRows, rows } = liveClip(now, first, end);
          expect(skipRows >= 0 && rows >= 0 && skipRows + rows <= now.rows).toBe(true);
        },
      ),
    );
  });
});

test.each([
  ['up within the card', buffer({ baseLine: 30, viewLine: 20 }), 5, -1, true],
  ['up at its start', buffer({ baseLine: 30, viewLine: 5 }), 5, -1, false],
  ['down within the card', buffer({ baseLine: 30, viewLine: 20 }), 5, 1, true],
  ['down at its end', buffer({ baseLine: 30, viewLine: 30 }), 5, 1, false],
  ['a card that fits', buffer({}), 2, -1, false],
] as const)('the wheel %s: the emulator takes it: %#', (_, now, first, deltaY, takes) => {
  expect(takesWheel(now, first, deltaY)).toBe(takes);
});

describe('the rows of a whole terminal', () => {
  test.each([
    ['are all shown where they have room', buffer({ lastLine: 9 }), 10, undefined],
    ['are all shown where those without content have no room', buffer({}), 6, undefined],
    ['end with the last content where there is less room', buffer({}), 4, { skipRows: 2, rows: 8, hangsRow: false }],
    [
      'end with the last row of a program that fills the screen',
      buffer({ baseLine: 30, viewLine: 30, lastLine: 39 }),
      7,
      { skipRows: 3, rows: 7, hangsRow: false },
    ],
    [
      'end with the view of who has scrolled back',
      buffer({ baseLine: 30, viewLine: 5, lastLine: 39 }),
      7,
      { skipRows: 3, rows: 7, hangsRow: false },
    ],
    ['are never all left out', buffer({ lastLine: 9 }), 0, { skipRows: 9, rows: 1, hangsRow: false }],
  ])('%s', (_, at, roomRows, clip) => {
    expect(roomClip(at, roomRows)).toEqual(clip);
  });
});
