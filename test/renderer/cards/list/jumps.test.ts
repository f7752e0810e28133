import { expect, test } from 'vitest';
import { nextOfKind } from '../../../../src-renderer/cards/list/jumps.ts';
import { aBlock } from '../aBlock.ts';

const blocks = [1, 2, 3, 4, 5].map((seq) => aBlock({ seq, bookmarked: seq === 2 || seq === 4 }));

test.each([
  [null, -1, 'b4'],
  [null, 1, undefined],
  ['b4', -1, 'b2'],
  ['b2', -1, undefined],
  ['b2', 1, 'b4'],
  ['b3', 1, 'b4'],
  ['gone', -1, 'b4'],
] as const)('from %s by %i the next bookmark is %s', (fromId, by, found) => {
  expect(nextOfKind(blocks, fromId, by, ({ bookmarked }) => bookmarked)?.id).toBe(found);
});
