import type { AgentRow } from '../../src-main/contract/agents.ts';
import { isWaiting } from '../conversation/chatWords.ts';

export type AgentGroupName = 'waiting' | 'working' | 'unclear' | 'ready' | 'finished';

export interface AgentGroup {
  name: AgentGroupName;
  rows: readonly AgentRow[];
}

const ORDER: readonly AgentGroupName[] = ['waiting', 'working', 'unclear', 'ready', 'finished'];

/** In the order of the page, without empty groups: the longest wait first, in other groups the latest news first. */
export function groupAgents(rows: Iterable<AgentRow>): AgentGroup[] {
  const groups = new Map<AgentGroupName, AgentRow[]>(ORDER.map((name) => [name, []]));
  for (const row of rows) groups.get(groupOf(row))?.push(row);
  for (const [name, own] of groups)
    own.sort((a, b) => (name === 'waiting' ? a.sinceMs - b.sinceMs : b.sinceMs - a.sinceMs));
  return ORDER.map((name) => ({ name, rows: groups.get(name) ?? [] })).filter(({ rows: own }) => own.length > 0);
}

function groupOf({ state }: AgentRow): AgentGroupName {
  if (isWaiting(state)) return 'waiting';
  if (state === 'working' || state === 'starting') return 'working';
  if (state === 'idle') return 'ready';
  return state === 'unknown' ? 'unclear' : 'finished';
}
