import { expect, test } from 'vitest';
import { LastShown } from '../../../../src-renderer/cards/list/LastShown.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];

function keeping(most: number) {
  const disposed: string[] = [];
  const shown = new LastShown<object>((id) => ({ value: {}, dispose: () => void disposed.push(id) }), most);
  return { shown, disposed };
}

test('those that were shown last are kept, and the others disposed once', () => {
  const { shown, disposed } = keeping(3);
  const first = ids.map((id) => {
    const { value, release } = shown.take(id);
    release();
    return value;
  });
  expect(disposed).toEqual(['a', 'b']);
  expect(ids.toReversed().map((id) => shown.take(id).value === first[ids.indexOf(id)])).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(disposed).toEqual(['a', 'b']);
});

test('what a pane has is kept, however many there are and however often others are shown', () => {
  const { shown, disposed } = keeping(1);
  const taken = ids.map((id) => shown.take(id));
  const beside = shown.take('a'); // by a second pane, as while one moves to another tab
  taken[0]?.release();
  for (const id of ['x', 'y', 'x']) shown.take(id).release();
  expect(disposed).toEqual(['x', 'y']);
  expect(beside.value).toBe(taken[0]?.value);
  expect(ids.map((id) => shown.take(id).value)).toEqual(taken.map(({ value }) => value));
  beside.release();
  expect(disposed).toEqual(['x', 'y']);
});
