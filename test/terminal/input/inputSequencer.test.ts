import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputSequencer, inOrder } from '../../../src-main/terminal/input/InputSequencer.ts';

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

test('a piece that waits for an earlier one is answered when it is typed, not before', async () => {
  const order = new InputSequencer<() => void>();
  const events: string[] = [];
  const send = (number: number): void => {
    const piece = inOrder(order, { writer: 'w', number }, () => void events.push(`typed ${number}`));
    void piece.then(() => events.push(`answered ${number}`));
  };
  for (const number of [0, 2, 3]) send(number);
  await Promise.resolve();
  expect(events).toEqual(['typed 0', 'answered 0']);
  send(1);
  send(3);
  await new Promise((resolve) => setImmediate(resolve));
  expect(events.slice(2, 5)).toEqual(['typed 1', 'typed 2', 'typed 3']);
  expect(events.slice(5).sort()).toEqual(['answered 1', 'answered 2', 'answered 3', 'answered 3']);
});

test('a piece whose turn fails rejects, and the later ones are typed', async () => {
  const order = new InputSequencer<() => void>();
  const fails = () => {
    throw new Error('closed');
  };
  const waiting = inOrder(order, { writer: 'w', number: 1 }, fails);
  const last = inOrder(order, { writer: 'w', number: 2 }, () => 'typed');
  const first = inOrder(order, { writer: 'w', number: 0 }, () => 'typed');
  await expect(waiting).rejects.toThrow('closed');
  expect([await first, await last]).toEqual(['typed', 'typed']);
});

describe('a writer that this core does not know', () => {
  const HERE = 'core-2';
  const from = (number: number, core = HERE) => ({ since: { number, core } });
  function begin() {
    const order = new InputSequencer<string>();
    return (
      number: number,
      sent: { again?: boolean; since?: { number: number; core: string } } = {},
    ): string[] | null =>
      order.continues('w', { number, ...sent }, HERE) ? order.take('w', number, `${number}`) : null;
  }

  test('begins with its first new piece; pieces that may have been sent to an earlier core are not taken', () => {
    const take = begin();
    const again = { again: true };
    expect([take(4, again), take(5, again), take(6), take(4, again), take(8), take(7, again)]).toEqual([
      ...[null, null, ['6'], null, [], ['7', '8']],
    ]);
  });

  test('begins with pieces that were sent to this core only, in order, however they arrive', () => {
    const take = begin();
    expect([take(1, { again: true, ...from(0) }), take(0, { again: true, ...from(0) }), take(2)]).toEqual([
      ...[[], ['0', '1'], ['2']],
    ]);
  });

  test('does not begin with a new piece behind one that may have been sent to an earlier core', () => {
    const take = begin();
    const behind = { again: true, ...from(4, 'core-1') };
    expect([take(5, behind), take(4, behind), take(6, from(6, 'core-1')), take(5, behind)]).toEqual([
      ...[null, null, ['6'], null],
    ]);
  });
});
