import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputSequencer } from '../../../src-main/terminal/input/InputSequencer.ts';

/** `count` pieces as an interrupted connection delivers them: some twice, in any order. */
const arrivals = fc
  .integer({ min: 1, max: 40 })
  .chain((count) =>
    fc
      .tuple(fc.constant(count), fc.array(fc.nat(count - 1)))
      .chain(([all, twice]) =>
        fc.shuffledSubarray([...Array(all).keys(), ...twice], { minLength: all + twice.length }),
      ),
  );

test('however pieces are doubled and mixed up, each is taken once and in order', () => {
  fc.assert(
    fc.property(arrivals, (numbers) => {
      const order = new InputSequencer<number>();
      const taken = numbers.flatMap((number) => order.take('w', number, number));
      expect(taken).toEqual([...Array(Math.max(...numbers) + 1).keys()]);
    }),
  );
});

test('a piece goes on at once when nothing before it is missing', () => {
  const order = new InputSequencer<string>();
  expect([order.take('w', 0, 'a'), order.take('w', 2, 'c'), order.take('w', 1, 'b')]).toEqual([['a'], [], ['b', 'c']]);
});

test('writers do not wait for each other', () => {
  const order = new InputSequencer<string>();
  expect([order.take('one', 1, 'late'), order.take('two', 0, 'x'), order.take('one', 0, 'early')]).toEqual([
    [],
    ['x'],
    ['early', 'late'],
  ]);
});

test('a piece that never comes holds up a thousand and no more', () => {
  const order = new InputSequencer<number>();
  const taken = Array.from({ length: 1001 }, (_, at) => order.take('w', at + 1, at + 1));
  expect(taken.map(({ length }) => length)).toEqual([...Array(1000).fill(0), 1001]);
  expect(order.take('w', 0, 0)).toEqual([]);
});

test('thousands of writers that are gone are forgotten, the one that writes is not', () => {
  const order = new InputSequencer<string>();
  order.take('mine', 0, 'a');
  for (let page = 0; page < 5000; page += 1) {
    order.take(`page ${page}`, 0, 'x');
    expect(order.take('mine', page + 1, 'b')).toEqual(['b']);
  }
});
