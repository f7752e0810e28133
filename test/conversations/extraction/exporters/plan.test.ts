import { expect, test } from 'vitest';
import { chatPlan, type PlanItem } from '../../../../src-main/contract/chat/progress.ts';
import { html } from '../../../../src-main/conversations/extraction/exporters/html.ts';
import { json } from '../../../../src-main/conversations/extraction/exporters/json.ts';
import { markdown } from '../../../../src-main/conversations/extraction/exporters/markdown.ts';
import { redactChat } from '../../../../src-main/redaction/redactChat.ts';
import { documentOf, event, message } from './conversation.ts';

const item = (text: string, state: PlanItem['state']): PlanItem => ({ text, state });
const planOf = (...items: PlanItem[]) => chatPlan({ items, isPart: false }, 'log');
const withPlan = (...items: PlanItem[]) => {
  const plan = planOf(...items);
  return documentOf([message('user', 'go'), { ...event('planChanged'), plan }], { plan });
};
const PLAIN = withPlan(item('Read', 'done'), item('Mend', 'active'), item('Test', 'open'), item('Ship', 'dropped'));

test('the plan is a task list in Markdown, with its progress and a line at each change', () => {
  const text = markdown.write(PLAIN);
  expect(text).toContain('## Plan: 1 of 3\n\n- [x] Read\n- [ ] **Mend**\n- [ ] Test\n- [ ] ~~Ship~~\n');
  expect(text).toContain('*Plan: 1 of 3 · Mend · ');
});

test('the plan is in the page and in JSON', () => {
  expect(html.write(PLAIN)).toContain('<li class="active" dir="auto">Mend</li>');
  expect(JSON.parse(json.write(PLAIN)).conversation.plan).toMatchObject({ done: 1, total: 3 });
});

test.each(['<img src=x onerror=alert(1)>', '# heading', '](javascript:alert(1))', '**', '- [x] done\n# other', '`'])(
  'an item %j is words alone',
  (words) => {
    const document = withPlan(item(words, 'open'));
    expect(html.write(document)).not.toContain('<img');
    const heads = markdown.write(document).match(/^#+ .*$/gm) ?? [];
    expect(heads.map((head) => head.replace(/ .*/, ''))).toEqual(['#', '##', '###']);
    expect(markdown.write(document)).not.toMatch(/<img/);
  },
);

test('secrets are taken out of items and titles', () => {
  const secret = `ghp_${'A1b2C3d4E5'.repeat(3)}A1b2C3`;
  const subAgent = {
    id: 'a',
    parentId: null,
    title: secret,
    kind: '',
    state: 'done',
    startedMs: 1,
    sinceMs: 1,
  } as const;
  const plan = planOf(item(`Use ${secret}`, 'open'));
  const { conversation } = documentOf([], { plan, subAgents: [subAgent] });
  const told = redactChat(conversation, [
    { ...event('planChanged'), plan },
    { ...event('subAgentChanged'), subAgent },
  ]);
  expect(JSON.stringify(told)).not.toContain(secret);
  expect(told.count).toBe(2);
});
