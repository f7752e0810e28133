import type { AgentRow } from '../../src-main/contract/agents.ts';
import { agentPlace } from '../../src-main/shared/agentPlace.ts';
import { strings } from '../app/strings.ts';
import { isWaiting } from '../conversation/chatWords.ts';
import type { TabStatus } from '../tabs/TerminalState.svelte.ts';

/** `Claude Code 2.1.330 · quay.example · harbour · main`: the agent with its version, its machine if it is another one, its project and branch, and how many sub-agents work for it. */
export function rowFacts(row: AgentRow, machine: string): string {
  const { label, version, subAgents } = row;
  const working = subAgents.filter(({ state }) => state === 'working').length;
  return [
    [label, version].filter(Boolean).join(' '),
    machine,
    ...agentPlace(row),
    working > 0 && strings.agents.subAgents.working(working),
  ]
    .filter(Boolean)
    .join(' · ');
}

export function rowStatus({ state }: AgentRow): TabStatus {
  if (isWaiting(state)) return 'waits';
  if (state === 'working' || state === 'starting') return 'running';
  return state === 'idle' ? 'ready' : 'idle';
}

/** It can still be written to. */
export function isLive({ state }: AgentRow): boolean {
  return state !== 'exited' && state !== 'cleared';
}

/** What the person looks at when the row asks: checking a box makes no other question of it. Undefined while the row asks nothing. */
export function shownQuestion({ conversationId, question }: AgentRow): string | undefined {
  if (!question?.checked.some((one) => one !== null)) return question?.id;
  return [conversationId, question.text, ...question.options].join('\n');
}
