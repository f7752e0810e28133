import { expect, test } from 'vitest';
import type { AgentRow } from '../../../../src-main/contract/agents.ts';
import type { SubAgent } from '../../../../src-main/contract/chat/progress.ts';
import { answerOf } from '../../../../src-main/mcp/protocol/answers.ts';
import { rowFacts, rowTold } from '../../../../src-main/mcp/tools/agents/agentsList.ts';

const SUB_AGENTS: SubAgent[] = Array.from({ length: 30 }, (_, n) => ({
  ...{ id: `s${n}`, parentId: n === 29 ? 's28' : null, title: `Part ${n}`, kind: 'general' },
  ...{ state: n === 29 ? 'working' : 'done', startedMs: n, sinceMs: n + 1 },
}));

const ROW: AgentRow = {
  ...{ terminalId: 't1', conversationId: 'c1', agent: 'claude', label: 'Claude Code', version: null, title: 'Ask' },
  ...{
    cwd: '/work',
    project: null,
    branch: null,
    state: 'working',
    evidence: null,
    sinceMs: 5,
    said: '',
    isTool: false,
    plan: null,
  },
  ...{ subAgents: SUB_AGENTS, files: null, question: null, queued: [] },
};

test('a sub-agent is one object with its title, in the text of the answer and in its structure', () => {
  const call = { desk: { tabs: () => new Map() }, caller: { terminalId: null } } as never;
  const answer = { facts: { agents: [rowFacts(ROW, call)] }, told: { agents: [rowTold(ROW)] } };
  const { content, structuredContent } = answerOf(answer, { nowMs: 0, effective: {} });
  const [, , json = ''] = (content[0] as { text: string }).text.split('\n');
  for (const said of [JSON.parse(json), structuredContent]) {
    const [{ sub_agents, sub_agents_total }] = said.agents;
    expect([sub_agents.length, sub_agents_total]).toEqual([20, 30]);
    expect(sub_agents.at(-1)).toEqual({
      ...{ id: 's29', parent: 's28', title: 'Part 29', kind: 'general' },
      ...{ state: 'working', started_ts: 29, since_ts: 30 },
    });
  }
});
