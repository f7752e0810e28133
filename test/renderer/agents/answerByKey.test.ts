import { expect, test, vi } from 'vitest';
import type { AgentAnswer, AgentRow } from '../../../src-main/contract/agents.ts';
import { Agents } from '../../../src-renderer/agents/Agents.svelte.ts';
import { performKey } from '../../../src-renderer/agents/agentActions.ts';
import type { AppState } from '../../../src-renderer/app/AppState.svelte.ts';

function waiting(conversationId: string, sinceMs: number): AgentRow {
  const question = { id: `${conversationId}-q`, text: 'Run it?', options: ['Yes', 'No'], obstacle: null };
  return {
    ...{ conversationId, terminalId: `t-${conversationId}`, state: 'needs_approval', sinceMs },
    question: { ...question, checked: [null, null], takesText: [false, false], hasNext: false },
  } as unknown as AgentRow;
}

test('a number key that is pressed twice answers one question, though another agent is first then', async () => {
  const answers: AgentAnswer[] = [];
  const answer = async (given: AgentAnswer) => {
    answers.push(given);
    return { ok: true };
  };
  const agents = new Agents({ answer, past: {} } as never);
  const app = { agents, notices: { report: () => undefined } } as unknown as AppState;
  const [first, second] = [waiting('a', 1), waiting('b', 2)];
  agents.apply({ type: 'all', rows: [first, second] });
  performKey(app, { type: 'answer', option: 0 });
  await vi.waitFor(() => expect(agents.answering.size).toBe(0));
  agents.apply({ type: 'row', row: { ...first, state: 'working', question: null } });
  performKey(app, { type: 'answer', option: 0 });
  await vi.waitFor(() => expect(agents.answering.size).toBe(0));
  expect(answers.map(({ questionId }) => questionId)).toEqual(['a-q']);
});
