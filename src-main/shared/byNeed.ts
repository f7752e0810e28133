import type { AgentRow } from '../contract/agents.ts';

const RANKS: Readonly<Partial<Record<AgentRow['state'], number>>> = {
  needs_approval: 0,
  needs_input: 0,
  working: 1,
  starting: 1,
  unknown: 2,
  idle: 3,
};

/** Order of a list of agents: waiting ones first, then those at work; among equals the latest news first. */
export function byNeed(a: AgentRow, b: AgentRow): number {
  return rankOf(a) - rankOf(b) || b.sinceMs - a.sinceMs;
}

function rankOf({ state }: AgentRow): number {
  return RANKS[state] ?? 4;
}
