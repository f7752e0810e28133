import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TerminalChange } from '../../src-main/contract/api.ts';
import type { Block } from '../../src-main/contract/block.ts';
import type { AgentStatus } from '../../src-main/contract/chat/chat.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import type { Notification } from '../../src-main/contract/window/notification.ts';
import { agentNews } from '../../src-main/notifications/agentNews.ts';
import { Notifications } from '../../src-main/notifications/Notifications.ts';
import { Emitter } from '../../src-main/util/Emitter.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { terminalView, usualSettings } from '../renderer/support/fakeRpc.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { FakeClock } from '../support/FakeClock.ts';

const data = suiteFolder('notifications');

let folders = 0;

function setUp(change: Partial<Settings> = {}, earlier?: string) {
  folders += 1;
  const dataFolder = earlier ?? join(data, `core-${folders}`);
  mkdirSync(dataFolder, { recursive: true });
  const terminals = new Emitter<TerminalChange>();
  const looking = new Set<string>();
  const find = () => ({ viewers: { looks: (clientId: string) => looking.has(clientId) } });
  const list = new Notifications({
    ...{ dataFolder, clock: new FakeClock(), log: silentLog },
    settings: { value: { ...usualSettings, ...change } },
    terminals: { onChange: terminals.on, find },
  });
  const says = (id: string, title: string | null, body: string, runningBlockId: string | null = null) =>
    terminals.fire({ type: 'changed', terminal: terminalView({ id, runningBlockId, notification: { title, body } }) });
  /** An agent in terminal `a` has these states. */
  const runs = (runningBlockId: string, ...states: (AgentStatus | null)[]) => {
    for (const agent of states)
      terminals.fire({ type: 'changed', terminal: terminalView({ id: 'a', runningBlockId, agent }) });
  };
  const ends = (id: string, block: Partial<Block>) =>
    list.handleBlock(id, {
      type: 'close',
      block: { id: 'b1', kind: 'command', cmd: 'make', exitCode: 0, ...block } as Block,
    });
  const look = (id: string) => {
    looking.add('window');
    list.looksAt('window', id);
  };
  const close = (id: string) => terminals.fire({ type: 'removed', id });
  return { list, dataFolder, says, runs, ends, look, close };
}

test('a command is told of when it was long, was not looked at, and its kind is on', () => {
  const { list, ends, look } = setUp();
  ends('a', { durationMs: 29_000 });
  ends('a', { durationMs: 31_000, exitCode: 2 });
  look('b');
  ends('b', { durationMs: 31_000 });
  expect(list.all).toMatchObject([{ kind: 'command', terminalId: 'a', blockId: 'b1', title: 'make', exitCode: 2 }]);
  const off = setUp({ 'notify.commands': false });
  off.ends('a', { durationMs: 31_000 });
  expect(off.list.all).toEqual([]);
});

test('text of a program is one short line without control, format or bidi characters', () => {
  const { list, says } = setUp();
  says('a', 'a\u001b[31m\nb\u202ec', '<b>'.repeat(1000));
  const [{ title, body } = { title: '', body: '' }] = list.all;
  expect(title).toBe('a [31m b c');
  expect(body).toHaveLength(300);
});

test('one noisy terminal does not push out what others said, and the list is bounded', () => {
  const { list, says } = setUp();
  says('quiet', null, 'once');
  for (let n = 0; n < 1000; n += 1) says(`t${n % 3}`, null, `text ${n}`);
  expect(list.all.length).toBeLessThanOrEqual(200);
  expect(list.all.at(-1)?.terminalId).toBe('quiet');
  expect(list.all[0]?.title).toBe('text 999');
});

test('looking at a terminal, or asking for it, marks as read, for all windows', () => {
  const { list, says, look } = setUp();
  for (const id of ['a', 'b', 'c', 'c']) says(id, null, 'x');
  look('a');
  list.read({ seq: 2 });
  expect(list.all.filter(({ isRead }) => !isRead).map(({ terminalId }) => terminalId)).toEqual(['c', 'c']);
  list.read({});
  expect(list.all.every(({ isRead }) => isRead)).toBe(true);
});

test('a closed terminal takes its notifications along', () => {
  const { list, says, close } = setUp();
  says('a', null, 'x');
  close('a');
  expect(list.all).toEqual([]);
});

const agent = (state: AgentStatus['state'], asks: string | null = null) =>
  ({ name: 'x', label: 'X', state, asks, evidence: null, sinceMs: 0, conversationId: 'c' }) as AgentStatus;

test.each([
  [
    'an agent that comes to ask',
    agent('working'),
    agent('needs_input', 'Which?'),
    { kind: 'agentAsks', body: 'Which?' },
  ],
  ['another question', agent('needs_input', 'A?'), agent('needs_input', 'B?'), { kind: 'agentAsks', body: 'B?' }],
  ['the same question', agent('needs_input', 'A?'), agent('needs_input', 'A?'), null],
  ['the end of a turn', agent('working'), agent('idle'), { kind: 'agentDone', title: 'X' }],
  ['an agent that ended at work', agent('working'), null, { kind: 'agentDone', title: 'X' }],
  ['an agent that starts', null, agent('working'), null],
  ['an agent that ended at rest', agent('idle'), null, null],
])('%s', (_, before, now, expected) => {
  const news = agentNews(before, now);
  if (expected === null) expect(news).toBeNull();
  else expect(news).toMatchObject(expected);
});

test('another machine does not push out what is ours, whatever terminals it names', () => {
  const { list, says } = setUp();
  says('t1', null, 'ours');
  const far = new Emitter<{ type: 'put'; item: Notification }>();
  list.join({ onChange: far.on });
  for (let at = 1; at <= 300; at++) {
    const where = { seq: at, terminalId: `on-aaaaaa-t${at}`, blockId: null, kind: 'program', atMs: at } as const;
    const item = { ...where, title: `${at}`, body: '', exitCode: null, durationMs: null, isRead: false };
    far.fire({ type: 'put', item });
  }
  expect(list.all.map(({ title }) => title)).toContain('ours');
  expect(list.all).toHaveLength(101);
});

test('the next core has the list, with what was read, without closed terminals, and adds nothing a second time', async () => {
  const first = setUp();
  first.says('a', null, 'once');
  first.ends('a', { id: 'b7', durationMs: 31_000 });
  first.says('closed', null, 'gone');
  first.list.read({ seq: 1 });
  const before = first.list.all;
  await first.list.close();
  first.close('a'); // as the end of the core closes its terminals
  const { list, says, ends } = setUp({}, first.dataFolder);
  await list.load(['a']);
  const kept = before.filter(({ terminalId }) => terminalId === 'a');
  expect(list.all).toEqual(kept);
  says('a', null, 'once');
  ends('a', { id: 'b7', durationMs: 31_000 });
  expect(list.all).toEqual(kept);
  says('a', null, 'once');
  ends('a', { id: 'b8', durationMs: 31_000 });
  expect(list.all.map(({ seq, kind }) => [seq, kind])).toEqual([
    [5, 'command'],
    [4, 'program'],
    [2, 'command'],
    [1, 'program'],
  ]);
});

test('a damaged list is set aside, and the next core begins with an empty one', async () => {
  const { list, dataFolder, says } = setUp();
  writeFileSync(join(dataFolder, 'notifications.json'), '{"version":1,"notifications":[{"seq":"x"}]}');
  await list.load(['a']);
  expect(list.all).toEqual([]);
  expect(readdirSync(dataFolder)).toEqual([expect.stringMatching(/^notifications\.json\.bad-\d+$/)]);
  says('a', null, 'new');
  await list.close();
  const next = setUp({}, dataFolder);
  await next.list.load(['a']);
  expect(next.list.all).toMatchObject([{ title: 'new' }]);
});

test('a command that is kept out of the record is listed, and kept in no file', async () => {
  const { list, dataFolder, ends, look } = setUp();
  look('b');
  ends('b', { id: 'b0', durationMs: 31_000, cmd: ' seen', ephemeral: true });
  ends('a', { id: 'b1', durationMs: 31_000, cmd: 'make' });
  ends('a', { id: 'b2', durationMs: 31_000, cmd: ' secret', ephemeral: true });
  expect(list.all.map(({ title }) => title)).toEqual(['secret', 'make']);
  await list.close();
  expect(readFileSync(join(dataFolder, 'notifications.json'), 'utf8')).not.toContain('secret');
  const next = setUp({}, dataFolder);
  await next.list.load(['a']);
  expect(next.list.all.map(({ title }) => title)).toEqual(['make']);
});

test('a question that an agent still asks is not listed again by the next core; the same question later is', async () => {
  const first = setUp();
  first.runs('b1', agent('working'), agent('needs_approval', 'Run it?'));
  await first.list.close();
  const next = async (...states: AgentStatus[]) => {
    const { list, runs } = setUp({}, first.dataFolder);
    await list.load(['a']);
    runs('b1', null, agent('starting'), ...states);
    return list.all.length;
  };
  expect(await next(agent('needs_approval', 'Run it?'))).toBe(1);
  expect(await next(agent('working'), agent('needs_approval', 'Run it?'))).toBe(2);
});

test('what a command that is kept out of the record says is listed, and kept in no file', async () => {
  const { list, dataFolder, says } = setUp();
  const block = { id: 'b1', kind: 'command', ephemeral: true } as Block;
  list.handleBlock('a', { type: 'open', block });
  says('a', null, 'secret', 'b1');
  list.handleBlock('a', { type: 'close', block });
  says('a', null, 'later');
  expect(list.all.map(({ title }) => title)).toEqual(['later', 'secret']);
  await list.close();
  expect(readFileSync(join(dataFolder, 'notifications.json'), 'utf8')).not.toContain('secret');
});
