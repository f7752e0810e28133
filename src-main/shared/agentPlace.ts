import type { AgentRow } from '../contract/agents.ts';

/** `harbour`, `wt/parallel`: the name of the project in which an agent works, or else of its folder, and the branch; empty if neither is known. */
export function agentPlace({ project, cwd, branch }: Pick<AgentRow, 'project' | 'cwd' | 'branch'>): string[] {
  const name = (project ?? cwd)?.split('/').filter(Boolean).at(-1);
  return [name, branch].filter((part) => typeof part === 'string');
}
