import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FoldedScreen, foldDelta, foldDeltas } from '../../../src-main/contract/screen/foldDelta.ts';
import type { Frame } from '../../../src-main/contract/screen/frame.ts';
import { diffFrames, isLargeDiff } from '../../../src-main/screen/frames/diffFrames.ts';
import { deltaOf, keyframeOf } from '../../../src-main/screen/frames/frameDelta.ts';
import { applyDiff } from '../../support/applyDiff.ts';
import { anyFrame, frameAndNext, frameOf, rowOf } from '../../support/frames.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => `line ${from + n}`);

function folded(frame: Frame, epoch: string, ts: number): FoldedScreen {
  const { altScreen, cols, rowsCount, scrollbackTotal, seq, title } = frame;
  const rows = frame.rows.map(({ text, wrapped }) => ({ text, wrapped }));
  const cursor = { row: frame.cursor.row, col: frame.cursor.col };
  return { rows, cursor, title, altScreen, cols, rowsCount, scrollbackTotal, seq, epoch, ts };
}

describe('a difference', () => {
  test.each([
    ['any two frames', fc.tuple(anyFrame, anyFrame)],
    ['a frame and the next', frameAndNext],
  ])('applied to the old frame gives the new one, for %s', (_, pair) => {
    fc.assert(
      fc.property(pair, ([old, now]) => {
        expect(applyDiff(old, diffFrames(old, now))).toEqual(now);
      }),
      fuzzRuns(5000),
    );
  });

  test('never tells more rows than it would without a scroll', () => {
    fc.assert(
      fc.property(frameAndNext, ([old, now]) => {
        const { changed, added, removed } = diffFrames(old, now);
        const differing = now.rows.filter((row, at) => JSON.stringify(row) !== JSON.stringify(old.rows[at]));
        expect(changed.length + added.length + removed.length).toBeLessThanOrEqual(differing.length);
      }),
      fuzzRuns(2000),
    );
  });

  test('of a full screen that scrolled by a line is one added row', () => {
    const diff = diffFrames(frameOf(numbers(1, 40)), frameOf(numbers(2, 40), { seq: 2 }));
    expect(diff).toEqual({
      fromSeq: 1,
      toSeq: 2,
      scrolledBy: 1,
      changed: [],
      added: [{ row: 39, line: rowOf('line 41') }],
      removed: [],
    });
  });

  test('of a scroll region under a title and over a footer tells the rows outside anew, and no more', () => {
    const frame = (from: number) => frameOf(['title', ...numbers(from, 36), '----', '> ']);
    const { scrolledBy, changed, added } = diffFrames(frame(1), frame(3));
    expect([scrolledBy, [...changed, ...added].map(({ row }) => row).sort((a, b) => a - b)]).toEqual([
      2,
      [0, 35, 36, 37, 38],
    ]);
  });

  test('does not take one row that came back for a scroll', () => {
    const diff = diffFrames(frameOf(['a', 'b', 'c', 'd']), frameOf(['b', 'x', 'y', 'z']));
    expect(diff.scrolledBy).toBe(0);
  });

  test('says what was put, what was changed and what was cleared', () => {
    const diff = diffFrames(frameOf(['a', 'b', '', '']), frameOf(['', 'B', '', 'd'], { title: 'new', seq: 2 }));
    expect(diff).toMatchObject({
      removed: [0],
      changed: [{ row: 1, line: rowOf('B') }],
      added: [{ row: 3, line: rowOf('d') }],
      title: 'new',
    });
  });

  test('is large when it tells more than 60 % of the rows', () => {
    const diff = (count: number) =>
      diffFrames(frameOf(numbers(1, 10)), frameOf([...numbers(100, count), ...numbers(1, 10).slice(count)]));
    expect([6, 7].map((count) => isLargeDiff(diff(count), 10))).toEqual([false, true]);
  });
});

describe('a delta', () => {
  const stamp = { epoch: 'run.0', ts: 5 };

  test('folded onto the frame before gives the text of the new one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(anyFrame, anyFrame), frameAndNext), ([old, now]) => {
        const before = foldDelta(null, keyframeOf(old, stamp));
        expect(foldDelta(before, deltaOf(old, now, stamp))).toEqual(folded(now, 'run.0', 5));
      }),
      fuzzRuns(5000),
    );
  });

  test('of looks alone has no rows', () => {
    const [old, now] = [frameOf(['menu']), frameOf([rowOf([{ text: 'menu', inverse: true }])], { seq: 2 })];
    expect(deltaOf(old, now, stamp)).toEqual({ ...stamp, seq: 2, rows: [] });
  });

  test('of another epoch, or before the first keyframe, tells nothing', () => {
    const [one, two] = [frameOf(['a']), frameOf(['b'], { seq: 2 })];
    const delta = deltaOf(one, two, stamp);
    expect(foldDelta(null, delta)).toBeNull();
    expect(foldDeltas([keyframeOf(one, { ...stamp, epoch: 'run.1' }), delta])).toBeNull();
  });
});
