import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { TerminalChange } from '../../src-main/contract/api.ts';
import type { Block, StyledLine } from '../../src-main/contract/block.ts';
import type { MachineView } from '../../src-main/contract/machines.ts';
import type { PastPage } from '../../src-main/contract/past.ts';
import type { WaitResult } from '../../src-main/contract/screen/screen.ts';
import type { SearchEvent } from '../../src-main/contract/search.ts';
import type { StreamItem, TerminalView } from '../../src-main/contract/terminal.ts';
import { ownMachines } from '../../src-main/hosts/ownMachines.ts';
import type { MachineLink } from '../../src-main/machines/MachineLink.ts';
import { runSsh } from '../../src-main/machines/ssh/SshConnection.ts';
import { besideArguments } from '../../src-main/machines/ssh/sshArguments.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';
import { TestCore } from '../support/TestCore.ts';
import { SSHD } from './rig/findProgram.ts';
import { SshClient } from './rig/SshClient.ts';
import { type BadLine, startProxy } from './rig/startProxy.ts';
import { type Sshd, startSshd } from './rig/startSshd.ts';
import { TestApi } from './TestApi.ts';

const started: { dispose(): unknown }[] = [];
function owned<T extends { dispose(): unknown }>(one: T): T {
  started.push(one);
  return one;
}
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

const SIZE = { cols: 80, rows: 24 };
const TIME = { timeout: 30_000, interval: 50 };
const NO_PAST: PastPage = { rows: [], next: null, facets: { agents: [], folders: [] } };

interface Pair {
  core: TestCore;
  api: TestApi;
  sshd: Sshd;
  line: BadLine;
  key: string;
  view(): MachineView;
}

/** This machine and another one, connected by a line that can be cut. */
async function connected({ removal }: { removal?: string } = {}): Promise<Pair> {
  const client = owned(new SshClient());
  const sshd = owned(await startSshd({ client }));
  sshd.installHansard();
  const line = owned(await startProxy({ port: sshd.port }));
  client.point(sshd.name, line.port);
  const env = { ...process.env, ...client.env };
  const remove = removal !== undefined && {
    removeServer: async ({ view: { name }, controlPath }: MachineLink): Promise<void> => {
      const { exitCode } = await runSsh(besideArguments(name, controlPath, removal), { env });
      if (exitCode !== 0) throw new Error(`ssh ended with ${exitCode}`);
    },
  };
  const core = owned(await TestCore.start({ env, machines: { ...ownMachines(env), ...remove } }));
  const api = owned(new TestApi(core.core));
  const verdict = await api.mutate<{ ok: boolean; key: string }>('machine.connect', { name: sshd.name });
  const view = (): MachineView => {
    const [found] = core.core.machines.view.machines;
    if (!found) throw new Error('no machine');
    return found;
  };
  await vi.waitFor(() => expect(view(), view().reason ?? '').toMatchObject({ state: 'connected' }), TIME);
  return { core, api, sshd, line, key: verdict.key, view };
}

async function openThere({ api, key }: Pair): Promise<TerminalView> {
  const view = await api.mutate<TerminalView>('terminal.open', { ...SIZE, machine: key });
  const at = () => api.query<{ blocks: Block[] }>('block.page', { terminalId: view.id, limit: 10 });
  await vi.waitFor(async () => expect((await at()).blocks).toBeDefined(), TIME);
  await vi.waitFor(async () => {
    const [change] = await firstOf<TerminalChange>(api, 'terminal.onChange');
    expect(change).toMatchObject({
      terminals: expect.arrayContaining([expect.objectContaining({ id: view.id, atPrompt: true })]),
    });
  }, TIME);
  return view;
}

async function firstOf<T>(api: TestApi, path: string, input?: unknown): Promise<T[]> {
  const seen = api.follow<T>(path, input);
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), TIME);
  return seen;
}

async function run({ api }: Pair, id: string, text: string): Promise<Block> {
  expect(await api.mutate('terminal.submit', { id, text })).toEqual({ ok: true });
  return vi.waitFor(async () => {
    const { blocks } = await api.query<{ blocks: Block[] }>('block.page', { terminalId: id, limit: 100 });
    const found = blocks.find((block) => block.cmd === text && block.status === 'completed');
    if (!found) throw new Error(`no card for ${text}: ${JSON.stringify(blocks)}`);
    return found;
  }, TIME);
}

describe.skipIf(SSHD === null)('another machine', () => {
  test('has its terminals among ours, with cards, output, text and search', { timeout: 120_000 }, async () => {
    const pair = await connected();
    const { api, key, sshd } = pair;
    const own = await pair.core.open();
    const view = await openThere(pair);
    expect(machineOf(view.id)).toBe(key);
    const block = await run(pair, view.id, 'pwd; echo "far $((6 * 7))"');
    expect(block).toMatchObject({ terminalId: view.id, exitCode: 0 });
    const { lines } = await api.query<{ lines: StyledLine[] }>('block.lines', {
      ...{ terminalId: view.id, blockId: block.id, from: 0, count: 10 },
    });
    expect(lines.map(({ spans }) => spans.map(({ text }) => text).join(''))).toEqual([sshd.home, 'far 42']);
    const events = await api.all<SearchEvent>('search.find', { query: 'far', in: ['output'], mode: 'exact' });
    const hits = events.flatMap((event) => (event.type === 'hits' ? event.hits : []));
    expect(hits).toMatchObject([{ terminalId: view.id, id: block.id }]);
    expect(events.at(-1)).toMatchObject({ type: 'end', unread: [] });
    const [all] = await firstOf<TerminalChange>(api, 'terminal.onChange');
    expect(all).toMatchObject({ type: 'all', terminals: [{ id: own.id }, { id: view.id }] });
    expect(await api.query('agent.past.page', {})).toEqual({ ...NO_PAST, silent: [] });
    expect(await api.query('agent.past.page', { machine: key })).toEqual(NO_PAST);
    expect(await api.mutate('terminal.close', { id: view.id, force: true })).toEqual({ closed: true });
  });

  test('gets a file in pieces, with a name that its shell takes', { timeout: 120_000 }, async () => {
    const pair = await connected();
    const { api, sshd } = pair;
    const { id } = await openThere(pair);
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    const text = bytes.toString('base64');
    await api.mutate('upload.add', { id, upload: 'u', piece: text.slice(0, 200_000) });
    const name = "../it's a $(file).png";
    const { path } = await api.mutate<{ path: string }>('upload.file', {
      id,
      name,
      upload: 'u',
      text: text.slice(200_000),
    });
    expect(path).toMatch(/\/hansard-file-\w+\/_it_s_a_file_\.png$/);
    expect(await sshd.run(`sha256sum < ${path}`)).toBe(`${createHash('sha256').update(bytes).digest('hex')}  -\n`);
    expect(await sshd.run(`stat -c %a ${path}`)).toBe('600\n');
  });

  test('shows only its own terminals to a core that calls as a machine', { timeout: 120_000 }, async () => {
    const pair = await connected();
    const view = await openThere(pair);
    const asMachine = owned(new TestApi(pair.core.core, 'machine'));
    const [all] = await firstOf<TerminalChange>(asMachine, 'terminal.onChange');
    expect(all).toEqual({ type: 'all', terminals: [] });
    await expect(asMachine.query('block.page', { terminalId: view.id, limit: 1 })).rejects.toThrow(/No terminal/);
  });

  test('refuses keys while the line is cut, and shows the same screen when it is back', {
    timeout: 120_000,
  }, async () => {
    const pair = await connected();
    const { api, line } = pair;
    const view = await openThere(pair);
    const items = api.follow<StreamItem>('terminal.stream', { id: view.id, viewerId: 'v' });
    await run(pair, view.id, 'echo before');
    line.goDown();
    await vi.waitFor(() => expect(pair.view()).toMatchObject({ state: 'lost' }), TIME);
    const typed = api.mutate('terminal.write', { id: view.id, data: 'x', writer: 'w', number: 0 });
    await expect(typed).rejects.toThrow(/box is not connected, so nothing was sent/);
    const [all] = await firstOf<TerminalChange>(api, 'terminal.onChange');
    expect(all).toMatchObject({ terminals: [{ id: view.id }] });
    const searched = await api.all<SearchEvent>('search.find', { query: 'before' });
    expect(searched.at(-1)).toMatchObject({ unread: [{ path: 'machine box', reason: 'it is not connected' }] });
    const had = items.length;
    line.repair();
    await vi.waitFor(() => expect(pair.view()).toMatchObject({ state: 'connected' }), TIME);
    await vi.waitFor(() => expect(items[had]).toMatchObject({ type: 'resize', ...SIZE }), TIME);
    expect(items.filter(({ type }) => type === 'state')).toHaveLength(1); // the stream does not repeat the state that is already shown
    await api.mutate('terminal.write', { id: view.id, data: 'echo after\r', writer: 'w', number: 1 });
    await vi.waitFor(async () => {
      const { blocks } = await api.query<{ blocks: Block[] }>('block.page', { terminalId: view.id, limit: 9 });
      expect(blocks.map(({ cmd }) => cmd)).toEqual(['echo before', 'echo after']);
    }, TIME);
  });

  test('types each key once over cuts at random moments, under a flood', { timeout: 300_000 }, async () => {
    const cuts = Number(process.env.HANSARD_MACHINE_CUTS ?? 4);
    const pair = await connected();
    const { api, line, sshd } = pair;
    const flood = await openThere(pair);
    const typed = await openThere(pair);
    api.follow<StreamItem>('terminal.stream', { id: flood.id, viewerId: 'f' }, (item) => {
      if ('offset' in item)
        void api.mutate('terminal.ack', { id: flood.id, viewerId: 'f', offset: item.offset }).catch(() => 0);
    });
    await api.mutate('terminal.submit', { id: flood.id, text: 'i=0; while :; do echo flood $((i+=1)); done' });
    await api.mutate('terminal.submit', { id: typed.id, text: 'cat > typed.txt' });
    await vi.waitFor(async () => {
      const { blocks } = await api.query<{ blocks: Block[] }>('block.page', { terminalId: typed.id, limit: 9 });
      expect(blocks).toMatchObject([{ status: 'running' }]);
    }, TIME);
    let sent = '';
    let number = 0;
    for (let cut = 0; cut < cuts; cut += 1) {
      const taken: Promise<unknown>[] = [];
      const cutAt = Math.floor(Math.random() * 40);
      for (let key = 0; key < 40; key += 1) {
        const data = `${number}\r`;
        taken.push(api.mutate('terminal.write', { id: typed.id, data, writer: 'w', number }));
        sent += `${number}\n`;
        number += 1;
        if (key === cutAt) line.cut(); // ssh still runs, so the following keys go into a dead line
      }
      await Promise.all(taken);
    }
    await api.mutate('terminal.write', { id: typed.id, data: '\x04', writer: 'w', number });
    await vi.waitFor(async () => expect(await sshd.run('cat typed.txt')).toBe(sent), TIME);
  });

  test('shows a wait the text that came while the line was cut', { timeout: 120_000 }, async () => {
    const pair = await connected();
    const { api, line, sshd, view } = pair;
    const { id: terminalId } = await openThere(pair);
    const text = 'until [ -e go ]; do sleep 0.1; done; echo "came $((40 + 2))"; touch came';
    expect(await api.mutate('terminal.submit', { id: terminalId, text })).toEqual({ ok: true });
    const conditions = [{ type: 'match', pattern: 'came 42' }];
    const results = api.follow<WaitResult>('screen.wait', { terminalId, conditions, timeoutMs: 60_000 });
    // The machine answers in order: the second answer comes after the one that says where the wait began
    for (let answer = 0; answer < 2; answer += 1) await api.query('screen.read', { terminalId });
    line.goDown();
    await vi.waitFor(() => expect(view().state).toBe('lost'), TIME);
    sshd.write('go', '');
    await vi.waitFor(() => expect(existsSync(join(sshd.home, 'came'))).toBe(true), TIME);
    line.repair();
    await vi.waitFor(() => expect(results).toMatchObject([{ outcome: 'met' }]), TIME);
  });

  test('ends a wait with its reason when the line hides whether the text came', { timeout: 120_000 }, async () => {
    const pair = await connected();
    const { api, line, view } = pair;
    const { id: terminalId } = await openThere(pair);
    const conditions = [{ type: 'match', pattern: 'never' }];
    const wait = (timeoutMs: number) => api.all('screen.wait', { terminalId, conditions, timeoutMs });
    const begun = expect(wait(3_000)).rejects.toThrow('box is not connected, and the time of the wait is over');
    for (let answer = 0; answer < 2; answer += 1) await api.query('screen.read', { terminalId });
    line.freeze();
    const beginning = expect(wait(60_000)).rejects.toThrow('lost as the wait began, so text may have been missed');
    line.goDown();
    await Promise.all([begun, beginning]);
    expect(view().state).not.toBe('connected');
    await expect(wait(60_000)).rejects.toThrow('box is not connected, so nothing was sent');
  });

  test('keeps the connection until its copy there is removed, which outlasts the core', {
    timeout: 120_000,
  }, async () => {
    const pair = await connected({ removal: '~/.local/bin/hansard serve stop --force && sleep 3 && touch removed' });
    const forgotten = await pair.api.mutate('machine.forget', { key: pair.key, server: true });
    expect([forgotten, pair.core.core.machines.view.machines]).toEqual([{ ok: true }, []]);
    expect(await pair.sshd.run('ls removed')).toBe('removed\n');
  });

  test('notices a line that died without a word', { timeout: 120_000 }, async () => {
    const pair = await connected();
    pair.line.freeze();
    await vi.waitFor(() => expect(pair.view()).toMatchObject({ state: 'lost', latencyMs: null }), TIME);
    pair.line.repair();
    await vi.waitFor(() => expect(pair.view()).toMatchObject({ state: 'connected' }), TIME);
  });

  test('brings its notifications once, and forgets its terminals when it is disconnected', {
    timeout: 120_000,
  }, async () => {
    const pair = await connected();
    const { api, line, key } = pair;
    const view = await openThere(pair);
    await run(pair, view.id, "printf '\\033]777;notify;Build;done\\007'");
    const { notifications } = pair.core.core;
    const listed = () => notifications.all.map(({ terminalId, title, body }) => ({ terminalId, title, body }));
    const expected = [{ terminalId: view.id, title: 'Build', body: 'done' }];
    await vi.waitFor(() => expect(listed()).toEqual(expected), TIME);
    line.cut();
    await vi.waitFor(() => expect(pair.view()).toMatchObject({ state: 'lost' }), TIME);
    await vi.waitFor(() => expect(pair.view()).toMatchObject({ state: 'connected' }), TIME);
    await run(pair, view.id, 'echo again');
    expect(listed()).toEqual(expected);
    await api.mutate('machine.disconnect', { key });
    const [all] = await firstOf<TerminalChange>(api, 'terminal.onChange');
    expect(all).toEqual({ type: 'all', terminals: [] });
    expect(pair.view()).toMatchObject({ state: 'off' });
  });
});
