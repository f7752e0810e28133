import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder, moved } from '../../../src-renderer/tabs/tabOrder.ts';

const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 12 });

test('moving a tab keeps every tab, puts it where it was asked to be, and leaves the others in their order', () => {
  fc.assert(
    fc.property(ids, fc.nat(), fc.integer({ min: -3, max: 15 }), (all, which, to) => {
      const id = all[which % all.length] ?? '';
      const after = moved(all, id, to);
      expect(after.filter((other) => other !== id)).toEqual(all.filter((other) => other !== id));
      expect(after.indexOf(id)).toBe(Math.max(0, Math.min(all.length - 1, to)));
    }),
  );
});

test('what the order does not name comes last, oldest first', () => {
  const tab = (id: string, createdMs: number) => ({ id, createdMs });
  const shown = inOrder([tab('new', 9), tab('b', 2), tab('older', 5), tab('a', 1)], ['b', 'gone', 'a']);
  expect(shown.map(({ id }) => id)).toEqual(['b', 'a', 'older', 'new']);
});
