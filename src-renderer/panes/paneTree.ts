import type { PaneLeaf, PaneSplit, PaneTree } from '../../src-main/contract/panes.ts';

/** On which side of a pane another one is put, or looked for. */
export type Side = 'left' | 'right' | 'up' | 'down';

/** In percent of the whole tab. */
export interface PaneRect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** No part of a split gets smaller than this share, in percent. */
export const MIN_SHARE = 8;
/** Shares that sum to this much less or more than 100 are rounded, not wrong. */
const ROUNDING = 1e-6;

export function leaf(terminalId: string): PaneLeaf {
  return { kind: 'leaf', terminalId };
}

/** The terminals of a tree, in reading order. */
export function leavesOf(tree: PaneTree): string[] {
  return tree.kind === 'leaf' ? [tree.terminalId] : tree.children.flatMap(leavesOf);
}

/** Splits the pane `at`, and puts the terminal in the new half. */
export function splitPane(tree: PaneTree, { at, side }: { at: string; side: Side }, terminalId: string): PaneTree {
  const direction = side === 'left' || side === 'right' ? 'right' : 'down';
  const isBefore = side === 'left' || side === 'up';
  if (tree.kind === 'leaf') {
    if (tree.terminalId !== at) return tree;
    const children = isBefore ? [leaf(terminalId), tree] : [tree, leaf(terminalId)];
    return { kind: 'split', direction, sizes: [50, 50], children };
  }
  const index = tree.children.findIndex((child) => child.kind === 'leaf' && child.terminalId === at);
  if (index < 0 || tree.direction !== direction) {
    return { ...tree, children: tree.children.map((child) => splitPane(child, { at, side }, terminalId)) };
  }
  const half = (tree.sizes[index] ?? 0) / 2;
  return {
    ...tree,
    sizes: tree.sizes.toSpliced(index, 1, half, half),
    children: tree.children.toSpliced(isBefore ? index : index + 1, 0, leaf(terminalId)),
  };
}

/** Without the pane of that terminal; its room goes to the part before it, else to the one behind. Null when nothing is left. */
export function closePane(tree: PaneTree, terminalId: string): PaneTree | null {
  if (tree.kind === 'leaf') return tree.terminalId === terminalId ? null : tree;
  const kept: PaneTree[] = [];
  const sizes: number[] = [];
  let freed = 0;
  for (const [index, child] of tree.children.entries()) {
    const rest = closePane(child, terminalId);
    const size = tree.sizes[index] ?? 0;
    if (rest) {
      kept.push(rest);
      sizes.push(size + freed);
      freed = 0;
    } else if (sizes.length > 0) sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + size;
    else freed = size;
  }
  return joined({ ...tree, sizes, children: kept });
}

/** Takes the pane of a terminal to another place of the same tree. */
export function movePane(tree: PaneTree, terminalId: string, to: { at: string; side: Side }): PaneTree {
  if (terminalId === to.at) return tree;
  const rest = closePane(tree, terminalId);
  return rest ? splitPane(rest, to, terminalId) : tree;
}

/**
 * Repairs a saved tree: known terminals only, each once, and shares that sum to 100. Removes its terminals from `known`. Null if no terminal is left.
 */
export function normalise(tree: PaneTree, known: Set<string>): PaneTree | null {
  if (tree.kind === 'leaf') return known.delete(tree.terminalId) ? tree : null;
  const parts = tree.children.flatMap((child, index) => {
    const part = normalise(child, known);
    return part ? [{ part, size: tree.sizes[index] ?? 0 }] : [];
  });
  return joined({ ...tree, sizes: parts.map(({ size }) => size), children: parts.map(({ part }) => part) });
}

/** A split of one part is that part, and a split within one of the same direction is a part of it. */
function joined(split: PaneSplit): PaneTree | null {
  const [only] = split.children;
  if (split.children.length < 2) return only ?? null;
  const shares = evened(split.sizes);
  const parts = split.children.flatMap((child, index) => {
    const share = shares[index] ?? 0;
    if (child.kind === 'leaf' || child.direction !== split.direction) return [{ child, share }];
    return child.children.map((inner, at) => ({ child: inner, share: (share * (child.sizes[at] ?? 0)) / 100 }));
  });
  return {
    kind: 'split',
    direction: split.direction,
    sizes: evened(parts.map(({ share }) => share)),
    children: parts.map(({ child }) => child),
  };
}

/** Shares that sum to 100; an invalid share gets the average of the others. */
function evened(sizes: readonly number[]): number[] {
  const isShare = (size: number) => Number.isFinite(size) && size > 0 && size <= 100;
  const good = sizes.filter(isShare);
  const average = good.length > 0 ? good.reduce((a, b) => a + b, 0) / good.length : 1;
  const filled = sizes.map((size) => (isShare(size) ? size : average));
  const total = filled.reduce((a, b) => a + b, 0);
  return Math.abs(total - 100) < ROUNDING ? filled : filled.map((size) => (size * 100) / total);
}

const WHOLE: PaneRect = { x: 0, y: 0, width: 100, height: 100 };

/** Where each terminal's pane is. */
export function rectsOf(tree: PaneTree, within = WHOLE): Map<string, PaneRect> {
  if (tree.kind === 'leaf') return new Map([[tree.terminalId, within]]);
  const rects = new Map<string, PaneRect>();
  let before = 0;
  for (const [index, child] of tree.children.entries()) {
    const share = (tree.sizes[index] ?? 0) / 100;
    const { x, y, width, height } = within;
    const part =
      tree.direction === 'right'
        ? { x: x + before * width, y, width: share * width, height }
        : { x, y: y + before * height, width, height: share * height };
    for (const [id, rect] of rectsOf(child, part)) rects.set(id, rect);
    before += share;
  }
  return rects;
}

/** The part of a pane that another one gets at its side. */
export function halfOf(rect: PaneRect | undefined, side: Side): PaneRect | undefined {
  if (!rect) return undefined;
  const { x, y, width, height } = rect;
  if (side === 'left' || side === 'right')
    return { x: side === 'left' ? x : x + width / 2, y, width: width / 2, height };
  return { x, y: side === 'up' ? y : y + height / 2, width, height: height / 2 };
}

/** The pane that one sees on that side of a pane: the nearest, and of those at the same distance the one with the longest common edge. */
export function paneBeside(tree: PaneTree, from: string, side: Side): string | undefined {
  const rects = rectsOf(tree);
  const own = rects.get(from);
  if (!own) return undefined;
  let best: { id: string; gap: number; edge: number } | undefined;
  for (const [id, rect] of rects) {
    const gap = gapBetween(own, rect, side);
    const edge = commonEdge(own, rect, side);
    if (id === from || gap < -ROUNDING || edge <= ROUNDING) continue;
    const isNearer = !best || gap < best.gap - ROUNDING;
    const isLonger = best && Math.abs(gap - best.gap) <= ROUNDING && edge > best.edge + ROUNDING;
    if (isNearer || isLonger) best = { id, gap, edge };
  }
  return best?.id;
}

function gapBetween(own: PaneRect, other: PaneRect, side: Side): number {
  if (side === 'left') return own.x - (other.x + other.width);
  if (side === 'right') return other.x - (own.x + own.width);
  if (side === 'up') return own.y - (other.y + other.height);
  return other.y - (own.y + own.height);
}

function commonEdge(a: PaneRect, b: PaneRect, side: Side): number {
  if (side === 'left' || side === 'right') return Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
}

/**
 * Moves an edge of a pane to that side, by so many percent of its split: the edge on that side, or the opposite one where the pane is at
 * the end of the tab. No part gets smaller than MIN_SHARE.
 */
export function moveEdge(tree: PaneTree, terminalId: string, { side, by }: { side: Side; by: number }): PaneTree {
  const isForward = side === 'right' || side === 'down';
  const step = isForward ? by : -by;
  const direction = side === 'left' || side === 'right' ? 'right' : 'down';
  const near = (at: number) => (isForward ? at : at - 1);
  const far = (at: number) => (isForward ? at - 1 : at);
  for (const edge of [near, far]) {
    const changed = withEdge(tree, terminalId, (split, at) => {
      const first = edge(at);
      if (split.direction !== direction || first < 0 || first + 1 >= split.children.length) return undefined;
      return { ...split, sizes: shifted(split.sizes, first, step) };
    });
    if (changed) return changed;
  }
  return tree;
}

/** The tree after `change` of the innermost split around a terminal that it affects; undefined if it affects none. */
function withEdge(
  tree: PaneTree,
  terminalId: string,
  change: (split: PaneSplit, at: number) => PaneSplit | undefined,
): PaneTree | undefined {
  if (tree.kind === 'leaf') return undefined;
  const at = tree.children.findIndex((child) => leavesOf(child).includes(terminalId));
  const child = tree.children[at];
  if (!child) return undefined;
  const inner = withEdge(child, terminalId, change);
  return inner ? { ...tree, children: tree.children.with(at, inner) } : change(tree, at);
}

function shifted(sizes: readonly number[], first: number, step: number): number[] {
  const [a = 0, b = 0] = sizes.slice(first, first + 2);
  const least = Math.min(MIN_SHARE, a, b);
  const next = Math.min(a + b - least, Math.max(least, a + step));
  return sizes.toSpliced(first, 2, next, a + b - next);
}

/** The tree with these shares in the split at `path`, a list of places from the root. */
export function withSizes(tree: PaneTree, path: readonly number[], sizes: readonly number[]): PaneTree {
  if (tree.kind === 'leaf') return tree;
  const [at, ...rest] = path;
  if (at === undefined) return sizes.length === tree.children.length ? { ...tree, sizes: evened(sizes) } : tree;
  const child = tree.children[at];
  return child ? { ...tree, children: tree.children.with(at, withSizes(child, rest, sizes)) } : tree;
}

/** A string that is equal for trees with the same panes in the same positions, whatever their sizes. */
export function shapeOf(tree: PaneTree): string {
  return tree.kind === 'leaf' ? tree.terminalId : `${tree.direction}(${tree.children.map(shapeOf).join(' ')})`;
}
