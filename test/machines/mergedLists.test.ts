import { expect, test } from 'vitest';
import type { AgentRow } from '../../src-main/contract/agents.ts';
import type { AgentPresence, Approval } from '../../src-main/contract/mcp/approval.ts';
import { PRESENCE, remoteLists } from '../../src-main/machines/listKinds.ts';
import type { MachineLink } from '../../src-main/machines/MachineLink.ts';
import type { Machines } from '../../src-main/machines/Machines.ts';
import { MERGED } from '../../src-main/machines/merge/mergedLists.ts';
import type { RemoteListener } from '../../src-main/machines/RemoteApi.ts';
import { RemoteList } from '../../src-main/machines/RemoteList.ts';
import { FakeClock } from '../support/FakeClock.ts';

const presence = (terminalId: string) => ({ terminalId, lease: null, running: null, queue: [] });

const approval = (id: string): Approval => ({
  ...{ id, terminalId: 't', blockId: 'b', kind: 'command', reason: null, saysReadOnly: false, cmd: 'ls', shown: [] },
  ...{ cwd: null, hash: '', rule: '', why: '', subcommand: null, prefix: null, askedMs: 0, expiresMs: 0 },
  client: { name: 'c', title: 'C', terminalId: null, isVerified: false },
});

/** A list that follows a connected machine, and `say` to send values from that machine. */
function connected(): { list: RemoteList<AgentPresence>; connect: () => void; say: RemoteListener['onData'] } {
  const list = new RemoteList(PRESENCE, new FakeClock());
  let listener: RemoteListener['onData'] = () => undefined;
  const subscribe: MachineLink['subscribe'] = (_path, _input, { onData }) => {
    listener = onData;
    return { unsubscribe: () => undefined };
  };
  const connect = (): void => list.follow('abc123', { subscribe } as MachineLink);
  connect();
  return { list, connect, say: (value) => listener(value) };
}

test('agents in terminals of another machine are shown while no agent is in one of this machine', async () => {
  const { list, say } = connected();
  say(presence('t1'));
  const stop = new AbortController();
  const never = new Promise<never>(() => undefined);
  const merged = MERGED['approval.presence']?.({
    machines: { lists: { presence: list } } as Machines,
    input: undefined,
    signal: stop.signal,
    own: { [Symbol.asyncIterator]: () => ({ next: () => never }) },
  });
  const shown = merged?.[Symbol.asyncIterator]();
  expect((await shown?.next())?.value).toMatchObject({ terminalId: 'on-abc123-t1' });
  say(presence('t2'));
  expect((await shown?.next())?.value).toMatchObject({ terminalId: 'on-abc123-t2' });
  stop.abort();
});

test('many changes at once are one list for a window, with the items of this machine', async () => {
  const lists = remoteLists(new FakeClock());
  let say: RemoteListener['onData'] = () => undefined;
  const subscribe: MachineLink['subscribe'] = (_path, _input, { onData }) => {
    say = onData;
    return { unsubscribe: () => undefined };
  };
  lists.approvals.follow('abc123', { subscribe } as MachineLink);
  const stop = new AbortController();
  const here = approval('here');
  const own = async function* () {
    yield { type: 'all', approvals: [approval('gone'), here] };
    yield { type: 'gone', id: 'gone', outcome: 'denied' };
    await new Promise((_, reject) => stop.signal.addEventListener('abort', reject));
  };
  const machines = { lists } as Machines;
  const merged = MERGED['approval.onChange']?.({ machines, input: undefined, signal: stop.signal, own: own() });
  const shown = merged?.[Symbol.asyncIterator]();
  expect((await shown?.next())?.value).toMatchObject({ type: 'all', approvals: [{ id: 'gone' }, { id: 'here' }] });
  expect((await shown?.next())?.value).toMatchObject({ type: 'gone', id: 'gone' });
  const there = Array.from({ length: 40 }, (_, at) => approval(`a${at}`));
  say({ type: 'all', approvals: there });
  const all = (await shown?.next())?.value as { type: string; approvals: Approval[] };
  expect(all.type).toBe('all');
  expect(all.approvals.map(({ id }) => id)).toEqual(['here', ...there.map(({ id }) => `on-abc123-${id}`)]);
  stop.abort();
});

test('an agent that left while the connection was cut is not shown after it', () => {
  const { list, connect, say } = connected();
  say({ ...presence('t1'), running: 'b1' });
  const changes: unknown[] = [];
  list.onChange((change) => changes.push(change));
  connect();
  const none = presence('on-abc123-t1');
  expect(list.all).toEqual([none]);
  expect(changes).toEqual([{ type: 'put', item: none, isNew: false }]);
});

test('a list says which machines have not sent theirs since the start, and is sent whole once they have', async () => {
  const lists = remoteLists(new FakeClock());
  const says = new Map<string, RemoteListener['onData']>();
  const follow = (key: string): void => {
    const subscribe: MachineLink['subscribe'] = (_path, _input, { onData }) => {
      says.set(key, onData);
      return { unsubscribe: () => undefined };
    };
    lists.terminals.follow(key, { subscribe } as MachineLink);
  };
  for (const key of ['abc123', 'zzz999']) lists.terminals.expect(key);
  const stop = new AbortController();
  const own = async function* () {
    yield { type: 'all', terminals: [] };
    await new Promise((_, reject) => stop.signal.addEventListener('abort', reject));
  };
  const machines = { lists } as Machines;
  const merged = MERGED['terminal.onChange']?.({ machines, input: undefined, signal: stop.signal, own: own() });
  const shown = merged?.[Symbol.asyncIterator]();
  expect((await shown?.next())?.value).toEqual({ type: 'all', terminals: [], unheard: ['abc123', 'zzz999'] });
  follow('abc123');
  says.get('abc123')?.({ type: 'all', terminals: [] });
  expect((await shown?.next())?.value).toEqual({ type: 'all', terminals: [], unheard: ['zzz999'] });
  lists.terminals.leave('zzz999'); // the person disconnects it
  expect((await shown?.next())?.value).toEqual({ type: 'all', terminals: [] });
  stop.abort();
});

test('notices of a machine name it, offer no button, and go with what they are about or with the machine', async () => {
  const lists = remoteLists(new FakeClock());
  let say: RemoteListener['onData'] = () => undefined;
  const subscribe: MachineLink['subscribe'] = (_path, _input, { onData }) => {
    say = onData;
    return { unsubscribe: () => undefined };
  };
  const follow = () => lists.notices.follow('abc123', { subscribe } as MachineLink);
  follow();
  const stop = new AbortController();
  const never = new Promise<never>(() => undefined);
  const merged = MERGED['system.onNotice']?.({
    machines: { lists } as Machines,
    input: undefined,
    signal: stop.signal,
    own: { [Symbol.asyncIterator]: () => ({ next: () => never }) },
  });
  const shown = merged?.[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => (await shown?.next())?.value;
  const full = { key: 'record/t1', level: 'error', text: 'full\u202e', action: null, terminalId: 't1', atMs: 1 };
  say({ ...full, cleared: false, offers: 'restart' });
  const theirs = { ...full, key: 'on-abc123-record/t1', text: 'full', terminalId: 'on-abc123-t1' };
  expect(await next()).toEqual({ ...theirs, cleared: false });
  say({ ...full, cleared: true });
  expect(await next()).toMatchObject({ key: theirs.key, cleared: true });
  say({ ...full, cleared: false });
  expect(await next()).toMatchObject({ key: theirs.key, cleared: false });
  follow(); // connected again: what it does not say again is over
  expect(await next()).toMatchObject({ key: theirs.key, cleared: true });
  for (let at = 0; at < 40; at += 1) say({ ...full, key: `k${at}`, cleared: false });
  for (let at = 0; at < 40; at += 1) expect(await next()).toMatchObject({ key: `on-abc123-k${at}` });
  lists.notices.leave('abc123');
  const gone = await Promise.all(Array.from({ length: 41 }, next));
  expect(gone.every((one) => (one as { cleared: boolean }).cleared)).toBe(true);
  stop.abort();
});

test('the agents of all machines are one list for the command line, by what they need and each once', async () => {
  const lists = remoteLists(new FakeClock());
  let say: RemoteListener['onData'] = () => undefined;
  const subscribe: MachineLink['subscribe'] = (path, _input, { onData }) => {
    if (path === 'agent.onChange') say = onData;
    return { unsubscribe: () => undefined };
  };
  lists.agents.follow('abc123', { subscribe } as MachineLink);
  const agent = (conversationId: string, state: AgentRow['state'], sinceMs = 1): AgentRow => ({
    ...{
      terminalId: 't',
      conversationId,
      agent: 'codex',
      label: 'Codex',
      version: null,
      title: '',
      cwd: null,
      project: null,
    },
    ...{ branch: null, state, sinceMs, evidence: null, said: '', isTool: false, plan: null, subAgents: [] },
    ...{ files: null, question: null, queued: [] },
  });
  say({ type: 'all', rows: [agent('far-idle', 'idle', 9), agent('far-asks', 'needs_input'), agent('here', 'idle')] });
  const own = Promise.resolve([agent('here', 'working', 5), agent('here-ended', 'exited')]);
  const rows = await MERGED['agent.rows']({
    machines: { lists } as Machines,
    input: undefined,
    signal: undefined,
    own,
  });
  expect(rows.map(({ terminalId, conversationId }) => [conversationId, terminalId])).toEqual([
    ['far-asks', 'on-abc123-t'],
    ['here', 't'],
    ['far-idle', 'on-abc123-t'],
    ['here-ended', 't'],
  ]);
});
