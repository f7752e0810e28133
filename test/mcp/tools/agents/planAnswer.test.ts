import { expect, test } from 'vitest';
import type { AgentRow } from '../../../../src-main/contract/agents.ts';
import { chatPlan, type PlanItem } from '../../../../src-main/contract/chat/progress.ts';
import { answerOf } from '../../../../src-main/mcp/protocol/answers.ts';
import { rowFacts, rowTold } from '../../../../src-main/mcp/tools/agents/agentsList.ts';
import { wholePlan } from '../../../../src-main/mcp/tools/agents/planAnswer.ts';

const items = (count: number, active: number): PlanItem[] =>
  Array.from({ length: count }, (_, at) => ({
    text: `Step ${at}`,
    state: at < active ? 'done' : at === active ? 'active' : 'open',
  }));

/** The plan as a client reads it: in the text of the answer and in its structure. */
function read({ facts, told }: { facts: object; told: object }) {
  const { content, structuredContent } = answerOf(
    { facts: { plan: facts }, told: { plan: told } },
    { nowMs: 0, effective: {} },
  );
  const [, , json = ''] = (content[0] as { text: string }).text.split('\n');
  expect(JSON.parse(json).plan).toEqual((structuredContent as Record<string, unknown>).plan);
  return JSON.parse(json).plan;
}

test('a list of agents has the progress of a plan, its marks and the active item', () => {
  const row = {
    ...{ terminalId: 't1', conversationId: 'c1', agent: 'codex', title: 'Ask', cwd: null, branch: null, said: '' },
    ...{ plan: chatPlan({ items: items(5, 3), isPart: true }, 'screen'), subAgents: [], question: null, queued: [] },
  } as unknown as AgentRow;
  const call = { desk: { tabs: () => new Map() }, caller: { terminalId: null } } as never;
  const [facts, told] = [rowFacts(row, call), rowTold(row)];
  expect(read({ facts: facts.plan as object, told: told.plan as object })).toEqual({
    ...{ done: 3, total: 5, from_screen: true, is_part: true, active: 'Step 3' },
  });
});

test.each([
  [5, 2, { items: [0, 4] }],
  [60, 0, { items: [0, 49], items_left_out_after: 10 }],
  [200, 100, { items: [75, 124], items_left_out_before: 75, items_left_out_after: 75 }],
  [260, 199, { items: [150, 199], items_left_out_before: 150, items_left_out_after: 60 }],
])(
  'a plan of %i items, the active one %i, says what is left out',
  (count, active, { items: [first, last], ...left }) => {
    const plan = read(wholePlan(chatPlan({ items: items(count, active), isPart: false }, 'log')));
    const { items: shown, ...counts } = plan;
    expect(counts).toEqual({ done: active, total: count, ...left });
    expect([shown[0].text, shown.at(-1).text]).toEqual([`Step ${first}`, `Step ${last}`]);
  },
);

test('an item that is cut ends with a mark', () => {
  const long = '設定 🚢 '.repeat(80).trim();
  const { items: shown } = read(wholePlan(chatPlan({ items: [{ text: long, state: 'open' }], isPart: false }, 'log')));
  expect(shown[0].text).toMatch(/^(設定 🚢 )+.*…$/u);
  expect(shown[0].text.length).toBeLessThan(long.length);
});
