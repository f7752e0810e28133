import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PaneTree } from '../../../src-main/contract/panes.ts';
import {
  closePane,
  leaf,
  leavesOf,
  MIN_SHARE,
  moveEdge,
  movePane,
  normalise,
  paneBeside,
  rectsOf,
  type Side,
  splitPane,
  withSizes,
} from '../../../src-renderer/panes/paneTree.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const SIDES: readonly Side[] = ['left', 'right', 'up', 'down'];
const sides = fc.constantFrom(...SIDES);

/** A tree as splits make it: the terminals t0, t1, … */
const trees = fc.array(fc.tuple(fc.nat(), sides), { maxLength: 9 }).map((splits) => {
  let tree: PaneTree = leaf('t0');
  for (const [index, [at, side]] of splits.entries()) {
    const ids = leavesOf(tree);
    tree = splitPane(tree, { at: ids[at % ids.length] ?? 't0', side }, `t${index + 1}`);
  }
  return tree;
});

/** Anything that the schema lets through. */
const garbage = fc.letrec<{ tree: PaneTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.nat(12).map((n) => leaf(`t${n}`)),
    fc.record({
      kind: fc.constant('split' as const),
      direction: fc.constantFrom('right' as const, 'down' as const),
      sizes: fc.array(fc.double(), { maxLength: 4 }),
      children: fc.array(tie('tree'), { maxLength: 4 }),
    }),
  ),
})).tree;

const known = (count = 10) => new Set(Array.from({ length: count }, (_, n) => `t${n}`));
const pick = (tree: PaneTree, at: number): string => leavesOf(tree)[at % leavesOf(tree).length] ?? '';

/** Expects at least two parts per split, no split in the direction of its parent, and shares with the sum 100. */
function expectSound(tree: PaneTree | null): void {
  if (!tree || tree.kind === 'leaf') return;
  expect(tree.children.length).toBeGreaterThan(1);
  expect(tree.sizes).toHaveLength(tree.children.length);
  expect(tree.sizes.reduce((a, b) => a + b, 0)).toBeCloseTo(100, 4);
  for (const size of tree.sizes) expect(size).toBeGreaterThan(0);
  for (const child of tree.children) {
    if (child.kind === 'split') expect(child.direction).not.toBe(tree.direction);
    expectSound(child);
  }
}

function law<T extends [unknown, ...unknown[]]>(
  title: string,
  given: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
): void {
  test(title, () => {
    fc.assert(fc.property(...given, check as never), fuzzRuns(200));
  });
}

describe('the panes of a tab', () => {
  law<[PaneTree, number, Side]>(
    'hold the terminal of a split once, beside the pane that was split',
    [trees, fc.nat(), sides],
    (tree, at, side) => {
      const from = pick(tree, at);
      const split = splitPane(tree, { at: from, side }, 'new');
      expectSound(split);
      expect(leavesOf(split).toSorted()).toEqual([...leavesOf(tree), 'new'].toSorted());
      expect(paneBeside(split, from, side)).toBe('new');
    },
  );

  law<[PaneTree, number, 'right' | 'down']>(
    'are as before when a split is closed again',
    [trees, fc.nat(), fc.constantFrom('right', 'down')],
    (tree, at, side) => {
      expect(closePane(splitPane(tree, { at: pick(tree, at), side }, 'new'), 'new')).toEqual(tree);
    },
  );

  law<[PaneTree, number]>('lose the closed pane and no other', [trees, fc.nat()], (tree, at) => {
    const id = pick(tree, at);
    const rest = closePane(tree, id);
    expectSound(rest);
    expect(rest ? leavesOf(rest) : []).toEqual(leavesOf(tree).filter((other) => other !== id));
  });

  law<[PaneTree, number, number, Side]>(
    'hold every terminal once after a move, at its new place',
    [trees, fc.nat(), fc.nat(), sides],
    (tree, from, to, side) => {
      const [id, at] = [pick(tree, from), pick(tree, to)];
      const moved = movePane(tree, id, { at, side });
      expectSound(moved);
      expect(leavesOf(moved).toSorted()).toEqual(leavesOf(tree).toSorted());
      if (id !== at) expect(paneBeside(moved, at, side)).toBe(id);
    },
  );

  law<[PaneTree]>('cover the tab without a gap', [trees], (tree) => {
    const rects = [...rectsOf(tree).values()];
    expect(rects.reduce((area, { width, height }) => area + width * height, 0)).toBeCloseTo(10_000, 3);
  });

  law<[PaneTree, number, Side]>('lead back by the opposite side', [trees, fc.nat(), sides], (tree, at, side) => {
    const from = pick(tree, at);
    const beside = paneBeside(tree, from, side);
    if (beside === undefined) return;
    const opposite = { left: 'right', right: 'left', up: 'down', down: 'up' } as const;
    expect(paneBeside(tree, beside, opposite[side])).toBeDefined();
  });

  law<[PaneTree, number, Side, number]>(
    'keep their terminals and a least share when an edge moves',
    [trees, fc.nat(), sides, fc.integer({ min: 1, max: 200 })],
    (tree, at, side, by) => {
      const moved = moveEdge(tree, pick(tree, at), { side, by });
      expectSound(moved);
      expect(leavesOf(moved)).toEqual(leavesOf(tree));
    },
  );

  law<[PaneTree]>('are the same after they were saved', [trees], (tree) => {
    const saved = PaneTree.parse(JSON.parse(JSON.stringify(tree)));
    expect(normalise(saved, known())).toEqual(tree);
  });

  law<[PaneTree]>('are sound whatever was saved', [garbage], (saved) => {
    const free = known();
    const tree = normalise(saved, free);
    expectSound(tree);
    const ids = tree ? leavesOf(tree) : [];
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids, ...free].toSorted()).toEqual([...known()].toSorted());
  });

  test('no edge moves over another pane', () => {
    const two = splitPane(leaf('a'), { at: 'a', side: 'right' }, 'b');
    const grown = moveEdge(two, 'a', { side: 'right', by: 90 });
    expect(grown).toMatchObject({ sizes: [100 - MIN_SHARE, MIN_SHARE] });
    expect(moveEdge(two, 'b', { side: 'right', by: 10 })).toMatchObject({ sizes: [60, 40] });
    expect(moveEdge(two, 'a', { side: 'down', by: 10 })).toEqual(two);
  });

  test('a drag of a handle changes its own split only', () => {
    const two = splitPane(leaf('a'), { at: 'a', side: 'right' }, 'b');
    const three = splitPane(two, { at: 'b', side: 'down' }, 'c');
    expect(rectsOf(withSizes(three, [1], [30, 70])).get('c')).toEqual({ x: 50, y: 30, width: 50, height: 70 });
    expect(withSizes(three, [], [1, 2, 3])).toEqual(three);
  });
});
