import fc from 'fast-check';
import { expect, test } from 'vitest';
import { remembered } from '../../src-main/util/remembered.ts';

/** The answers for `keys`, and the computed keys in order. */
function ask(keys: readonly string[], most: number): { answers: string[]; computed: string[] } {
  const computed: string[] = [];
  const answer = remembered(most, (key) => {
    computed.push(key);
    return `of ${key}`;
  });
  return { answers: keys.map((key) => answer(key)), computed };
}

test('whatever is asked, it is what would be computed; and what fits is computed once', () => {
  const keys = fc.array(fc.nat(9).map(String), { maxLength: 60 });
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 12 }), (asked, most) => {
      const { answers, computed } = ask(asked, most);
      expect(answers).toEqual(asked.map((key) => `of ${key}`));
      if (new Set(asked).size <= most) expect(computed).toEqual([...new Set(asked)]);
    }),
  );
});

test('of more than fit, what came first is forgotten', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), (most) => {
      const keys = Array.from({ length: most + 1 }, (_, at) => String(at));
      expect(ask([...keys, '0'], most).computed).toEqual([...keys, '0']);
    }),
  );
});
