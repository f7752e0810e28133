import { expect, test } from 'vitest';
import type { TreeRow } from '../../../src-main/contract/chat/agentTree.ts';
import type { SubAgent } from '../../../src-main/contract/chat/progress.ts';
import { shownSubAgents } from '../../../src-renderer/agents/shownSubAgents.ts';

/** Sub-agents by letter: w(orking), d(one), f(ailed), s(topped). Each changed its state later than the ones before it. */
function tree(letters: string): TreeRow[] {
  const states = { w: 'working', d: 'done', f: 'failed', s: 'stopped' } as const;
  return [...letters].map((letter, at) => {
    const state = states[letter as keyof typeof states];
    const subAgent: SubAgent = { id: `${at}`, parentId: null, title: '', kind: '', state, startedMs: 0, sinceMs: at };
    return { depth: 0, subAgent };
  });
}

test.each([
  ['shows all of a short one', 'dws', '0 1 2'],
  ['leaves out those that are done', 'dwdwds', '1 3 5'],
  ['shows those at work before others that began earlier', 'ssssww', '3 4 5'],
  ['shows the latest of those that ended badly', 'sfsfw', '2 3 4'],
  ['shows no more rows than there is room for', 'wwwww', '2 3 4'],
])('the list of sub-agents %s', (_, letters, ids) => {
  expect(
    shownSubAgents(tree(letters), 3)
      .map(({ subAgent }) => subAgent.id)
      .join(' '),
  ).toBe(ids);
});
