import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SizeOwner } from '../../../src-main/terminal/viewers/SizeOwner.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const big = { cols: 120, rows: 40 };
const small = { cols: 60, rows: 20 };

describe('the size of a terminal', () => {
  test('is that of the first one who looks, and of the next only when that one uses it', () => {
    const owner = new SizeOwner();
    expect(owner.want('a', big, false)).toEqual(big);
    expect(owner.want('b', small, false)).toBeNull();
    expect(owner.used('b')).toEqual(small);
    expect(owner.used('b')).toBeNull();
    expect(owner.want('a', big, false)).toBeNull();
    expect(owner.want('a', big, true)).toEqual(big);
  });

  test('goes back to whoever used it before, when its owner leaves', () => {
    const owner = new SizeOwner();
    owner.want('a', big, true);
    owner.want('b', small, true);
    owner.want('only looks', { cols: 10, rows: 10 }, false);
    expect(owner.left('b')).toEqual(big);
    expect(owner.left('only looks')).toBeNull();
    expect(owner.left('a')).toBeNull();
    expect(owner.owner).toBeNull();
  });

  test('follows its owner, and a viewer that never said its size does not get it by typing', () => {
    const owner = new SizeOwner();
    owner.want('a', big, true);
    expect(owner.want('a', small, false)).toEqual(small);
    expect(owner.used('a program')).toBeNull();
  });

  test('changes hands by use only: however many look and how often their rooms change (law)', () => {
    const viewer = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ do: fc.constant('want'), viewer, cols: fc.integer({ min: 2, max: 9 }), take: fc.boolean() }),
      fc.record({ do: fc.constantFrom('used', 'left'), viewer }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const owner = new SizeOwner();
        for (const it of steps) {
          const before = owner.owner;
          const given =
            'cols' in it
              ? owner.want(it.viewer, { cols: it.cols, rows: 9 }, it.take)
              : owner[it.do as 'used' | 'left'](it.viewer);
          const mayPass = it.do === 'used' || it.do === 'left' || ('take' in it && it.take) || before === null;
          if (!mayPass) expect(owner.owner).toBe(before);
          if (given && 'cols' in it) expect([owner.owner, given.cols]).toEqual([it.viewer, it.cols]);
          if (it.do === 'left') expect(owner.owner).not.toBe(it.viewer);
        }
      }),
      fuzzRuns(500),
    );
  });
});
