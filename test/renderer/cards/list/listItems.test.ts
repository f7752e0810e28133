import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Divider } from '../../../../src-main/contract/api.ts';
import type { Block } from '../../../../src-main/contract/block.ts';
import { listItems } from '../../../../src-renderer/cards/list/listItems.ts';
import { estimateCardPx, isHiddenLine, outputShape } from '../../../../src-renderer/cards/output/outputShape.ts';

const block = (seq: number) => ({ id: `b${seq}`, seq }) as Block;
const divider = (kind: Divider['kind'], afterSeq: number, atMs = 1): Divider => ({ kind, afterSeq, atMs, text: kind });
const names = (blocks: Block[], dividers: Divider[], hasOlder = false) =>
  listItems(blocks, dividers, hasOlder).map((item) =>
    item.type === 'card' ? item.block.seq : `${item.divider.kind}@${item.divider.afterSeq}`,
  );

test('a divider stands after its block, before the first and after the last too', () => {
  const dividers = [divider('cleared', 2), divider('restored', 0), divider('gap', 9)];
  expect(names([block(1), block(2), block(3)], dividers)).toEqual(['restored@0', 1, 2, 'cleared@2', 3, 'gap@9']);
});

test('pressing Ctrl+L ten times is one line', () => {
  const dividers = Array.from({ length: 10 }, (_, at) => divider('cleared', 1, at));
  expect(names([block(1)], dividers)).toEqual([1, 'cleared@1']);
});

test('every gap is shown, because each is a loss of its own', () => {
  expect(names([block(1)], [divider('gap', 1, 1), divider('gap', 1, 2)])).toEqual([1, 'gap@1', 'gap@1']);
});

test('a divider among cards that are not loaded waits for them', () => {
  expect(names([block(5), block(6)], [divider('cleared', 2), divider('cleared', 5)], true)).toEqual([
    5,
    'cleared@5',
    6,
  ]);
});

test('every card is there once, in the order of seq, and keys are unique', () => {
  const kinds = fc.constantFrom<Divider['kind']>('cleared', 'restored', 'gap', 'exited');
  const some = fc.array(fc.tuple(kinds, fc.nat(30), fc.nat(5)), { maxLength: 20 });
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 30 })), some, (seqs, dividers) => {
      const blocks = seqs.sort((a, b) => a - b).map(block);
      const items = listItems(
        blocks,
        dividers.map(([kind, after, at], index) => divider(kind, after, at * 100 + index)),
        false,
      );
      expect(items.flatMap((item) => (item.type === 'card' ? item.block : []))).toEqual(blocks);
      expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
    }),
  );
});

const LOOK = { isExpanded: false, isScreen: false, viewLines: 0 };

test('head, hidden and tail are all of the lines, and a line is hidden exactly when it is in neither', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (lines) => {
      const shape = outputShape(lines, LOOK);
      if (shape.kind === 'all') expect(isHiddenLine(lines >> 1, lines, LOOK)).toBe(false);
      else if (shape.kind === 'ends') {
        expect(shape.head + shape.hidden + shape.tail).toBe(lines);
        const hidden = [shape.head - 1, shape.head, lines - shape.tail - 1, lines - shape.tail];
        expect(hidden.map((n) => isHiddenLine(n, lines, LOOK))).toEqual([false, true, true, false]);
      } else expect.unreachable(shape.kind);
    }),
  );
});

test.each([
  [0, false, 'none'],
  [3, true, 'all'],
  [5000, false, 'ends'],
  [5000, true, 'window'],
] as const)('%i lines, expanded %s: %s', (lines, isExpanded, kind) => {
  expect(outputShape(lines, { ...LOOK, isExpanded }).kind).toBe(kind);
});

test('a last screen is shown whole, and only a screen', () => {
  const screen = { ...LOOK, isScreen: true };
  expect([outputShape(100, screen).kind, outputShape(100, LOOK).kind, isHiddenLine(20, 100, screen)]).toEqual([
    'all',
    'ends',
    false,
  ]);
});

test.each([
  [60, 0, 'all'],
  [61, 40, 'ends'],
  [75, 75, 'all'],
  [76, 75, 'ends'],
  [121, 500, 'ends'],
] as const)('%i lines in a view of %i are shown: %s', (lines, viewLines, kind) => {
  expect(outputShape(lines, { ...LOOK, viewLines }).kind).toBe(kind);
});

test('a card of a million lines is estimated no taller than one of a hundred', () => {
  const px = (outputLines: number, isFolded = false) =>
    estimateCardPx({ outputLines, usedAltScreen: false }, isFolded, {
      rowPx: 19,
      viewLines: 40,
      density: 'comfortable',
    });
  expect([px(1_000_000) === px(100), px(0), px(1), px(3), px(0, true)]).toEqual([true, 54, 73, 111, 42]);
});

test('a gap that a machine reports twice is one line, and a block with its name is a card of its own', () => {
  const items = listItems(
    [block(1), { id: 'gap-1-1', seq: 2 } as Block],
    [divider('gap', 1), divider('gap', 1)],
    false,
  );
  expect(items.map(({ type }) => type)).toEqual(['card', 'divider', 'card']);
  expect(new Set(items.map(({ key }) => key)).size).toBe(3);
});
