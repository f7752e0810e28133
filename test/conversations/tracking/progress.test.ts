import { expect, test } from 'vitest';
import type { ChatLine } from '../../../src-main/contract/chat/chat.ts';
import { planWords } from '../../../src-main/contract/chat/planWords.ts';
import {
  MAX_PLAN_ITEMS,
  MAX_SUB_AGENTS,
  type PlanItem,
  type SubAgent,
} from '../../../src-main/contract/chat/progress.ts';
import { ConversationList } from '../../../src-main/conversations/extraction/conversations.ts';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import { ProgressRecorder } from '../../../src-main/conversations/tracking/ProgressRecorder.ts';
import { countedIds } from '../../support/chatOfCast.ts';

const MOMENT = { at: 5, atMs: 5 };
const item = (text: string, state: PlanItem['state']): PlanItem => ({ text, state });
const source = (...items: PlanItem[]) => ({ items, isPart: false });

/** A session with a conversation, and all written lines. */
function started() {
  const session = new PtyChatSession('t', countedIds());
  const lines: ChatLine[] = session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
  const begun = session.current;
  if (!begun) throw new Error('no conversation began');
  const progress = new ProgressRecorder(session, begun);
  const conversation = () => {
    const list = new ConversationList((agent) => agent);
    for (const line of lines) list.apply(line);
    return list.all[0];
  };
  return { session, lines, begun, progress, conversation };
}

test('writes a plan once, and again when it changed', () => {
  const { lines, progress, conversation } = started();
  const plan = source(item('one', 'done'), item('two', 'active'), item('three', 'dropped'));
  lines.push(...progress.planned(plan, 'log', MOMENT));
  expect(progress.planned(plan, 'log', MOMENT)).toEqual([]);
  expect(conversation()?.plan).toMatchObject({ done: 1, total: 2, from: 'log' });
  expect(planWords(conversation()?.plan ?? { items: [], done: 0, total: 0, from: 'log' })).toBe('1 of 2 · two');
  lines.push(...progress.planned(source(), 'log', MOMENT));
  expect(conversation()?.plan).toBeUndefined();
});

test('prefers the agent’s own log to its screen from the first list on', () => {
  const { progress } = started();
  expect(progress.planned(source(item('seen', 'open')), 'screen', MOMENT)).toHaveLength(1);
  expect(progress.planned(source(item('told', 'open')), 'log', MOMENT)).toHaveLength(1);
  expect(progress.planned(source(item('seen', 'done')), 'screen', MOMENT)).toEqual([]);
});

test('marks the known plan where the screen shows the end of another one, and is whole again with the whole list', () => {
  const { lines, progress, conversation } = started();
  const cut = (...items: PlanItem[]) => ({ items, isPart: false, isCut: true });
  const plan = source(item('one', 'done'), item('two', 'active'));
  expect(progress.planned(cut(item('two', 'active')), 'screen', MOMENT)).toEqual([]);
  lines.push(...progress.planned(plan, 'screen', MOMENT));
  expect(progress.planned(cut(item('two', 'active')), 'screen', MOMENT)).toEqual([]);
  expect(progress.planned({ ...plan, isPart: true }, 'screen', MOMENT)).toEqual([]);
  lines.push(...progress.planned(cut(item('two', 'done')), 'screen', MOMENT));
  expect(progress.planned(cut(item('two', 'done')), 'screen', MOMENT)).toEqual([]);
  expect(conversation()?.plan).toEqual({ items: plan.items, done: 1, total: 2, from: 'screen', isPart: true });
  lines.push(...progress.planned(source(item('two', 'done')), 'screen', MOMENT));
  expect(conversation()?.plan).toEqual({ items: [item('two', 'done')], done: 1, total: 1, from: 'screen' });
});

test('writes nothing for an empty list where there was no plan', () => {
  expect(started().progress.planned(source(), 'log', MOMENT)).toEqual([]);
});

test('continues after a restart without writing the same plan again', () => {
  const { lines, begun, progress } = started();
  lines.push(...progress.planned(source(item('one', 'open')), 'log', MOMENT));
  const again = PtyChatSession.restore('t', lines, countedIds());
  expect(new ProgressRecorder(again, begun).planned(source(item('one', 'open')), 'log', MOMENT)).toEqual([]);
});

test('writes the last plan of a conversation that has ended', () => {
  const { session, lines, begun, progress } = started();
  lines.push(...session.end(MOMENT));
  const late = progress.planned(source(item('one', 'done')), 'log', MOMENT);
  expect(late).toMatchObject([{ type: 'planChanged', conversationId: begun.conversationId }]);
});

test('keeps the first items of a huge list, counts all, and makes one line of each', () => {
  const { progress } = started();
  const huge = Array.from({ length: MAX_PLAN_ITEMS + 50 }, (_, at) =>
    item(`${at}\n\x1b[31m${'x'.repeat(9000)}`, 'done'),
  );
  const [line] = progress.planned(source(...huge), 'log', MOMENT);
  const plan = line && 'type' in line ? line.plan : undefined;
  expect(plan).toMatchObject({ done: MAX_PLAN_ITEMS + 50, total: MAX_PLAN_ITEMS + 50 });
  expect(plan?.items).toHaveLength(MAX_PLAN_ITEMS);
  expect(plan?.items.every(({ text }) => text.length <= 500 && !/\p{Cc}/u.test(text))).toBe(true);
});

const subAgent = (id: string, more: Partial<SubAgent> = {}): SubAgent => ({
  ...{ id, parentId: null, title: `Do ${id}`, kind: 'Explore', state: 'working', startedMs: 3, sinceMs: 3 },
  ...more,
});

test('writes a sub-agent once, and its changes in its place', () => {
  const { lines, progress, conversation } = started();
  const all = [subAgent('a'), subAgent('b', { parentId: 'a' })];
  lines.push(...progress.delegated(all, MOMENT));
  expect(progress.delegated(all, MOMENT)).toEqual([]);
  const changed = progress.delegated([subAgent('a', { state: 'done', sinceMs: 8 }), subAgent('b')], { at: 9, atMs: 9 });
  const first = lines.find((line) => 'type' in line && line.subAgent?.id === 'a');
  expect(changed[0]).toMatchObject({ id: first?.id, order: first?.order });
  lines.push(...changed);
  expect(conversation()?.subAgents?.map(({ id, state }) => `${id} ${state}`)).toEqual(['a done', 'b working']);
});

test('ends sub-agents with their agent, also one that is first seen afterwards', () => {
  const { session, lines, progress, conversation } = started();
  lines.push(...progress.delegated([subAgent('a')], MOMENT));
  lines.push(...session.end({ at: 7, atMs: 7 }));
  lines.push(...progress.delegated([subAgent('a'), subAgent('b')], { at: 7, atMs: 8 }));
  expect(conversation()?.subAgents?.map(({ id, state, sinceMs }) => [id, state, sinceMs])).toEqual([
    ['a', 'stopped', 7],
    ['b', 'stopped', 7],
  ]);
});

test('ends sub-agents at a /clear, also one that is first seen afterwards', () => {
  const { session, lines, begun, progress, conversation } = started();
  lines.push(...progress.delegated([subAgent('a')], MOMENT));
  lines.push(...session.noted({ type: 'cli:clear', conversationId: begun.conversationId }, { at: 7, atMs: 7 }));
  lines.push(...progress.delegated([subAgent('a'), subAgent('b')], { at: 7, atMs: 8 }));
  expect(conversation()?.state).toBe('cleared');
  expect(conversation()?.subAgents?.map(({ id, state, sinceMs }) => [id, state, sinceMs])).toEqual([
    ['a', 'stopped', 7],
    ['b', 'stopped', 7],
  ]);
});

test('stops those below a stopped sub-agent, however deep, and no other', () => {
  const { lines, progress, conversation } = started();
  const all = [
    subAgent('leaf', { parentId: 'child' }),
    subAgent('child', { parentId: 'top' }),
    subAgent('ready', { parentId: 'top', state: 'done' }),
    subAgent('other'),
    subAgent('loop', { parentId: 'loop' }),
    subAgent('top', { state: 'stopped', sinceMs: 6 }),
  ];
  lines.push(...progress.delegated(all, MOMENT));
  expect(conversation()?.subAgents?.map(({ id, state, sinceMs }) => [id, state, sinceMs])).toEqual([
    ['leaf', 'stopped', 6],
    ['child', 'stopped', 6],
    ['ready', 'done', 3],
    ['other', 'working', 3],
    ['loop', 'working', 3],
    ['top', 'stopped', 6],
  ]);
});

test('leaves out the sub-agents of an earlier run, and continues after a restart', () => {
  const { lines, begun, progress } = started();
  expect(progress.delegated([subAgent('old', { startedMs: begun.atMs - 1 })], MOMENT)).toEqual([]);
  lines.push(...progress.delegated([subAgent('a')], MOMENT));
  const again = PtyChatSession.restore('t', lines, countedIds());
  expect(new ProgressRecorder(again, begun).delegated([subAgent('a')], MOMENT)).toEqual([]);
});

test('keeps a bounded number of sub-agents, each title in one line', () => {
  const { progress } = started();
  const many = Array.from({ length: MAX_SUB_AGENTS * 2 }, (_, at) =>
    subAgent(`${at}`, { title: 'ا\n\x1b]0;x\x07'.repeat(900) }),
  );
  const written = progress.delegated(many, MOMENT);
  expect(written).toHaveLength(MAX_SUB_AGENTS);
  expect(written.every((line) => 'type' in line && !/\p{Cc}/u.test(line.subAgent?.title ?? '\n'))).toBe(true);
});
