import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CardSelection,
  NOTHING_SELECTED,
  reduceSelection,
  type SelectionStep,
} from '../../../../src-renderer/cards/selection/cardSelection.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e', 'f'];
const id = fc.constantFrom(...ORDER);
const step: fc.Arbitrary<SelectionStep> = fc.oneof(
  id.map((one) => ({ type: 'toggle' as const, id: one })),
  fc.tuple(id, id).map(([one, fromId]) => ({ type: 'range' as const, id: one, fromId, order: ORDER })),
  fc.constant({ type: 'all' as const, order: ORDER }),
  fc.constant({ type: 'clear' as const }),
);
const selectionOf = (steps: readonly SelectionStep[]) => steps.reduce(reduceSelection, NOTHING_SELECTED);
const idsOf = ({ ids }: CardSelection) => ORDER.filter((one) => ids.has(one));

describe('a selection of cards', () => {
  test('a card that is toggled twice is as it was before', () => {
    fc.assert(
      fc.property(fc.array(step), id, (steps, one) => {
        const before = selectionOf(steps);
        const toggle = { type: 'toggle', id: one } as const;
        expect(idsOf(reduceSelection(reduceSelection(before, toggle), toggle))).toEqual(idsOf(before));
      }),
    );
  });

  test('a range has no gaps, ends at its card, and keeps where it began', () => {
    fc.assert(
      fc.property(fc.array(step), id, id, id, (steps, one, other, fromId) => {
        const range = (to: string) => ({ type: 'range', id: to, fromId, order: ORDER }) as const;
        const first = reduceSelection(selectionOf(steps), range(one));
        const chosen = idsOf(first);
        expect(ORDER.join('')).toContain(chosen.join(''));
        expect([chosen[0], chosen.at(-1)]).toContain(one);
        expect(reduceSelection(first, range(other)).anchorId).toBe(first.anchorId);
        expect(idsOf(reduceSelection(reduceSelection(first, range(other)), range(one)))).toEqual(chosen);
      }),
    );
  });

  test('a selection of nothing has no beginning, and the selection given is never changed', () => {
    fc.assert(
      fc.property(fc.array(step), step, (steps, next) => {
        const before = selectionOf(steps);
        const ids = idsOf(before);
        const result = reduceSelection(before, next);
        expect(idsOf(before)).toEqual(ids);
        if (result.ids.size === 0) expect(result.anchorId).toBeNull();
      }),
    );
  });

  test('a range from a card that is gone begins at its end', () => {
    const gone = selectionOf([{ type: 'toggle', id: 'x' }]);
    expect(idsOf(reduceSelection(gone, { type: 'range', id: 'c', fromId: 'a', order: ORDER }))).toEqual(['c']);
  });
});
