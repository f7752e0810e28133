import type { TreeRow } from '../../src-main/contract/chat/agentTree.ts';

/**
 * The visible rows of a tree, in its order. If there are more than `most`, finished ones are left out; of the others, working ones have priority,
 * then those whose state changed last.
 */
export function shownSubAgents(tree: readonly TreeRow[], most: number): readonly TreeRow[] {
  if (tree.length <= most) return tree;
  const open = tree.filter(({ subAgent }) => subAgent.state !== 'done');
  const works = ({ subAgent }: TreeRow) => Number(subAgent.state === 'working');
  const first = open.toSorted((a, b) => works(b) - works(a) || b.subAgent.sinceMs - a.subAgent.sinceMs);
  const shown = new Set(first.slice(0, most));
  return open.filter((row) => shown.has(row));
}
