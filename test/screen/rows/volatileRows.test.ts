import { describe, expect, test } from 'vitest';
import { VolatileRows } from '../../../src-main/screen/rows/VolatileRows.ts';
import { frameOf } from '../../support/frames.ts';

const EVERY_MS = 100;
const ROWS = 8;

/** A screen whose rows show how often each has changed; `t` is the title, `c` the cursor's row. */
function play(...changes: (readonly (number | 't' | 'c')[] | 'other buffer')[]) {
  const counts = Array.from({ length: ROWS }, () => 0);
  let [title, cursorRow, altScreen] = [0, 0, false];
  const shown = () =>
    frameOf(counts.map(String), { title: `${title}`, altScreen, cursor: { row: cursorRow, col: 0, visible: true } });
  let known = VolatileRows.NONE;
  let before = shown();
  const stirred = changes.map((rows, at) => {
    if (rows === 'other buffer') altScreen = !altScreen;
    else
      for (const row of rows) {
        if (row === 't') title += 1;
        else if (row === 'c') cursorRow = 1 - cursorRow;
        else counts[row] = (counts[row] ?? 0) + 1;
      }
    const now = shown();
    const { next, isStirred } = known.after(before, now, at * EVERY_MS);
    [known, before] = [next, now];
    return isStirred;
  });
  return { stirred, countsFromMs: known.countsFromMs };
}

const NEVER = Number.POSITIVE_INFINITY;
const AT_ONCE = Number.NEGATIVE_INFINITY;

describe('what stirs a screen besides its clocks', () => {
  test.each<[string, Parameters<typeof play>, boolean[], number]>([
    ['one change is no habit', [[1]], [true], 1200],
    ['nor are two', [[1], [1]], [true, true], 1300],
    ['a row that changes for the third time is a clock', [[1], [1], [1], [1]], [true, true, false, false], NEVER],
    ['nothing stirs nothing', [[], []], [false, false], NEVER],
    ['a spinner in a title is one too', [['t'], ['t'], ['t']], [true, true, false], NEVER],
    [
      'with the cursor that jumps there and back',
      [[1, 'c'], ['c'], [1, 'c'], ['c'], [1, 'c']],
      [true, true, false, false, false],
      NEVER,
    ],
    [
      'two spinners at their own pace',
      [[1], [2], [1], [2], [1, 2], [1], [2], [1, 2]],
      [true, true, false, true, false, false, false, false],
      NEVER,
    ],
    ['another row beside the clock stirs', [[1], [1], [1], [1, 5]], [true, true, false, true], 300 + 1200],
    [
      'and is forgotten as a change only when it makes a habit of it',
      [[1], [1], [1], [1, 5], [1], [1]],
      [true, true, false, true, false, false],
      300 + 1200,
    ],
    ['many rows at once stir, and count at once', [[1], [1], [1], [0, 1, 2, 3, 4]], [true, true, false, true], AT_ONCE],
    ['and end all habits', [[1], [1], [1], [0, 1, 2, 3, 4], [1]], [true, true, false, true, true], AT_ONCE],
    ['another buffer does so as well', [[1], [1], [1], 'other buffer', [1]], [true, true, false, true, true], AT_ONCE],
  ])('%s', (_, changes, stirred, countsFromMs) => {
    expect(play(...changes)).toEqual({ stirred, countsFromMs });
  });
});
