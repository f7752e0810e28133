import type { SubAgent } from './progress.ts';

/** A sub-agent with its depth in the tree; 0 is right below its agent. */
export interface TreeRow {
  readonly depth: number;
  readonly subAgent: SubAgent;
}

/** Sub-agents as a tree: each after the one that started it, in their order. A sub-agent with an unknown parent, or below itself, is at the top. */
export function agentTree(all: readonly SubAgent[]): TreeRow[] {
  const known = new Set(all.map(({ id }) => id));
  const below = new Map<string | null, SubAgent[]>();
  for (const one of all) {
    const parent = one.parentId !== null && known.has(one.parentId) ? one.parentId : null;
    below.set(parent, [...(below.get(parent) ?? []), one]);
  }
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  const walk = (start: SubAgent): void => {
    const open: TreeRow[] = [{ depth: 0, subAgent: start }];
    for (let row = open.pop(); row; row = open.pop()) {
      const { depth, subAgent } = row;
      if (seen.has(subAgent.id)) continue;
      seen.add(subAgent.id);
      rows.push(row);
      const children = below.get(subAgent.id) ?? [];
      open.push(...children.map((child) => ({ depth: depth + 1, subAgent: child })).toReversed());
    }
  };
  for (const one of below.get(null) ?? []) walk(one);
  for (const one of all) walk(one); // a cycle has no top
  return rows;
}
