import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentAnswer, AgentRow } from '../../../src-main/contract/agents.ts';
import { Agents } from '../../../src-renderer/agents/Agents.svelte.ts';
import { performKey } from '../../../src-renderer/agents/agentActions.ts';
import type { AppState } from '../../../src-renderer/app/AppState.svelte.ts';
import { strings } from '../../../src-renderer/app/strings.ts';

function waiting(conversationId: string, sinceMs: number, questionId = `${conversationId}-q`): AgentRow {
  const question = { id: questionId, text: 'Run it?', options: ['Yes', 'No'], obstacle: null };
  return {
    ...{ conversationId, terminalId: `t-${conversationId}`, state: 'needs_approval', sinceMs },
    question: { ...question, checked: [null, null], takesText: [false, false], hasNext: false },
  } as unknown as AgentRow;
}

let answers: string[];
let agents: Agents;

/** Presses a number key; resolves with the ids of all questions answered so far. */
async function press(): Promise<readonly string[]> {
  const app = { agents, notices: { report: () => undefined } } as unknown as AppState;
  performKey(app, { type: 'answer', option: 0 });
  await vi.waitFor(() => expect(agents.answering.size).toBe(0));
  return answers;
}

const later = () => vi.advanceTimersByTime(400);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  answers = [];
  const answer = async ({ questionId }: AgentAnswer) => {
    answers.push(questionId);
    return { ok: true };
  };
  agents = new Agents({ answer, past: {} } as never);
});

afterEach(() => {
  vi.useRealTimers();
});

test('a number key that is pressed twice answers one question, though another agent is first then', async () => {
  const first = waiting('a', 1);
  agents.apply({ type: 'all', rows: [first, waiting('b', 2)] });
  later();
  await press();
  agents.apply({ type: 'row', row: { ...first, state: 'working', question: null } });
  later();
  expect(await press()).toEqual(['a-q']);
});

test('a number key answers no question that appeared a moment ago, and says so', async () => {
  agents.apply({ type: 'all', rows: [waiting('a', 1)] });
  expect(await press()).toEqual([]);
  expect(agents.remarks.get('a')).toBe(strings.agents.early);
  later();
  expect(await press()).toEqual(['a-q']);
  agents.apply({ type: 'row', row: waiting('a', 2, 'a-next') });
  expect(await press()).toEqual(['a-q']);
  later();
  expect(await press()).toEqual(['a-q', 'a-next']);
});

test('the boxes of a checklist can be checked one right after the other', async () => {
  const list = (checked: readonly boolean[]): AgentRow => {
    const row = waiting('a', 1, `with ${checked.join()}`);
    return { ...row, question: { ...row.question, checked } } as AgentRow;
  };
  agents.apply({ type: 'all', rows: [list([false, false])] });
  later();
  await press();
  agents.apply({ type: 'row', row: list([true, false]) });
  expect(await press()).toEqual(['with false,false', 'with true,false']);
});

test('a number key answers no row that became the first one a moment ago, unless the person chose it', async () => {
  agents.apply({ type: 'all', rows: [waiting('a', 1), waiting('b', 2)] });
  later();
  agents.apply({ type: 'removed', conversationId: 'a' });
  expect(await press()).toEqual([]);
  expect(agents.remarks.get('b')).toBe(strings.agents.early);
  agents.choose('b');
  expect(await press()).toEqual(['b-q']);
});
