import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import type { AuditLine } from '../../src-main/contract/mcp/audit.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import { serveMcp } from '../../src-main/hosts/serveMcp.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { setPolicy } from '../mcp/exec/clients.ts';
import { type Connected, call, connectClient, refusal } from '../mcp/mcpClient.ts';
import { soon } from '../support/soon.ts';
import { TestCore } from '../support/TestCore.ts';
import { SSHD } from './rig/findProgram.ts';
import { SshClient } from './rig/SshClient.ts';
import { type BadLine, startProxy } from './rig/startProxy.ts';
import { type Sshd, startSshd } from './rig/startSshd.ts';
import { TestApi } from './TestApi.ts';

const TIME = { timeout: 20_000, interval: 20 };
const SIZE = { cols: 80, rows: 24 };
/** Policy of the other machine: every command needs an approval. */
const POLICY_THERE = { version: 1, clients: { '*': { scopes: ['exec'] } }, exec: { default: 'ask' } };

const started: { dispose(): unknown }[] = [];
function owned<T extends { dispose(): unknown }>(one: T): T {
  started.push(one);
  return one;
}

describe.skipIf(SSHD === null)('an MCP client and another machine', () => {
  let core: TestCore;
  let api: TestApi;
  let sshd: Sshd;
  let line: BadLine;
  let mcp: Connected;
  let own: string;
  let there: string;

  beforeAll(async () => {
    const client = owned(new SshClient());
    sshd = owned(await startSshd({ client }));
    sshd.installHansard();
    sshd.write('.local/share/hansard/policy.json', JSON.stringify(POLICY_THERE), 0o600);
    line = owned(await startProxy({ port: sshd.port }));
    client.point(sshd.name, line.port);
    core = owned(await TestCore.start({ env: { ...process.env, ...client.env } }));
    setPolicy(core, { clients: { '*': { scopes: ['exec'] }, looker: { scopes: ['observe'] } } });
    owned(await serveMcp({ core: core.core, dataFolder: core.dataFolder, env: {}, startedMs: 0, log: silentLog }));
    api = owned(new TestApi(core.core));
    await api.mutate('machine.connect', { name: sshd.name });
    own = (await core.open()).id;
    await untilState('connected');
    const [link] = core.core.machines.connected;
    there = (await api.mutate<TerminalView>('terminal.open', { ...SIZE, machine: link?.view.key })).id;
    mcp = await connectClient(core.dataFolder);
    started.push({ dispose: () => mcp.close() });
    await vi.waitFor(async () => expect(await idle(there)).toBe(true), TIME);
  }, 60_000);

  afterAll(async () => {
    for (const each of started.splice(0).reverse()) await each.dispose();
  });

  const untilState = (state: string): Promise<void> =>
    vi.waitFor(() => expect(core.core.machines.view.machines).toMatchObject([{ state }]), TIME);
  const idle = async (id: string): Promise<boolean> =>
    (await call(mcp.client, 'pty_status', { pty_id: id })).idle.idle as boolean;
  const audited = async (tool: string): Promise<AuditLine[]> => {
    const { lines } = await core.core.clients.audit.log.page({ limit: 100, filter: {} });
    return lines.filter((entry) => entry.tool === tool && entry.pty === there);
  };
  const untilAsked = (cmd: string): Promise<Approval> =>
    vi.waitFor(() => {
      const found = core.core.machines.lists.approvals.all.find((one) => one.cmd === cmd);
      if (!found) throw new Error('nobody is asked');
      return found;
    }, TIME);
  const approve = async (cmd: string): Promise<void> => {
    const { id } = await untilAsked(cmd);
    await api.mutate('approval.answer', { id, answer: { choice: 'once' } });
  };

  test('lists the terminals of both, each with its host', async () => {
    const { ptys, hosts, hosts_silent } = await call(mcp.client, 'pty_list');
    expect(ptys).toMatchObject([{ pty_id: own }, { pty_id: there, host: 'box', cwd: sshd.home }]);
    expect(ptys[0].host).toBeUndefined();
    expect(hosts).toEqual([{ host: 'box', scopes: ['observe', 'suggest', 'exec'] }]);
    expect(hosts_silent).toBeUndefined();
    expect(await call(mcp.client, 'agents_list')).toMatchObject({ agents: [] });
  });

  test('runs a command there when the person has approved it in the window, and reads it', async () => {
    const cmd = 'echo far $((6 * 7)); pwd';
    const running = call(mcp.client, 'pty_exec', { pty_id: there, cmd, wait_ms: 20_000 });
    expect(await untilAsked(cmd)).toMatchObject({ terminalId: there, client: { name: 'test-client' } });
    await approve(cmd);
    const { block, host } = await running;
    expect(host).toBe('box');
    expect(block).toMatchObject({ status: 'completed', exit_code: 0, actor: 'agent', client: 'test-client' });
    expect(block.block_id).toMatch(`${there}.`);
    const read = await call(mcp.client, 'blocks_read', { block_id: block.block_id });
    expect(read.text).toContain(`far 42\n${sshd.home}`);
    expect(read.text).toMatch(/^\[terminal output · untrusted · host box · boundary/);
    expect(await call(mcp.client, 'blocks_get', { block_id: block.block_id })).toMatchObject({ exit_code: 0 });
    expect(await call(mcp.client, 'pty_snapshot', { pty_id: there })).toMatchObject({ pty_id: there });
    expect(await audited('pty_exec')).toMatchObject([
      { what: `on box: ${cmd}`, decision: 'allowed', rule: 'host:box' },
    ]);
    const audit = await sshd.run('cat .local/share/hansard/audit.jsonl');
    expect(audit).toMatch(/"tool":"pty_exec".*"decision":"approved"/);
  });

  test('finds what was printed there, and what was run on both', async () => {
    const search = () => call(mcp.client, 'blocks_search', { query: 'far', scope: 'output' });
    const first = await search(); // a machine whose index lacks the output reports that it is indexing
    expect(first.matches.length > 0 || first.hosts?.[0]?.indexing !== undefined).toBe(true);
    await soon(async () => (await search()).matches).toMatchObject([{ pty_id: there, host: 'box', text: 'far 42' }]);
    const { blocks, resume_cursor } = await call(mcp.client, 'blocks_since');
    expect(blocks).toMatchObject([{ pty_id: there, host: 'box' }]);
    const waiting = call(mcp.client, 'blocks_since', { cursor: resume_cursor, wait_ms: 10_000 });
    core.core.terminal(own).type('echo near\r');
    expect(await waiting).toMatchObject({ blocks: [{ pty_id: own }] });
  });

  test('a refusal there comes with its words as untrusted text', async () => {
    const gone = await refusal(mcp.client, 'pty_exec', { pty_id: `${there}x`, cmd: 'ls' });
    expect(gone).toMatchObject({ code: 'PTY_NOT_FOUND', message: 'box refused it' });
    expect(gone.details.host_says).toMatch(/^\[terminal output · untrusted · host box.*no terminal/s);
  });

  test('a scope that is missing here is not to be had by an id there', async () => {
    const looker = await connectClient(core.dataFolder, { name: 'looker' });
    started.push({ dispose: () => looker.close() });
    expect(await refusal(looker.client, 'pty_exec', { pty_id: there, cmd: 'ls -l' })).toMatchObject({
      code: 'NOT_ALLOWED_SCOPE',
      message: expect.stringContaining('"looker" has observe'),
    });
    expect(await sshd.run('cat .local/share/hansard/audit.jsonl')).not.toContain('ls -l');
    expect(await call(looker.client, 'pty_status', { pty_id: there })).toMatchObject({ pty_id: there });
  });

  test('watches and resources are of this machine, and a refusal names the tools for a host', async () => {
    expect(await refusal(mcp.client, 'pty_notify', { pty_id: there, search: 'far' })).toMatchObject({
      code: 'BAD_INPUT',
      suggestion: 'pty_snapshot_wait waits there, and blocks_get with wait_ms',
    });
    for (const uri of [`term://pty/${there}/screen`, `term://pty/${there}/blocks`])
      await expect(mcp.client.readResource({ uri })).rejects.toThrow(/blocks_read, pty_snapshot and agents_read/);
    const { resources } = await mcp.client.listResources();
    expect(resources.filter(({ uri }) => uri.includes('/on-'))).toEqual([]);
  });

  test('opens a terminal of its own there, and closes it', async () => {
    const { pty_id } = await call(mcp.client, 'pty_open', { host: 'box', name: 'mine' });
    expect(pty_id.slice(0, 10)).toBe(there.slice(0, 10));
    expect(await call(mcp.client, 'pty_open', { close: pty_id })).toMatchObject({ outcome: 'closed', pty_id });
    expect(await refusal(mcp.client, 'pty_open', { host: 'nowhere' })).toMatchObject({ code: 'HOST_UNAVAILABLE' });
  });

  test('the same machine by another name is refused, and listed once', async () => {
    const { key } = await api.mutate<{ key: string }>('machine.connect', { name: `${userInfo().username}@box` });
    const reason = 'That machine is connected already, as box.';
    await vi.waitFor(() => expect(core.core.machines.find(key)?.view).toMatchObject({ state: 'failed', reason }), TIME);
    expect((await call(mcp.client, 'pty_list')).ptys).toMatchObject([{ pty_id: own }, { pty_id: there }]);
    await api.mutate('machine.forget', { key, server: false });
  });

  test('after a cut in the middle the outcome is unknown, and the command ran once', async () => {
    const cmd = 'sleep 2; echo once >> ran.txt';
    const running = refusal(mcp.client, 'pty_exec', { pty_id: there, cmd, wait_ms: 20_000 });
    await approve(cmd);
    await vi.waitFor(async () => expect(await idle(there)).toBe(false), TIME);
    line.goDown();
    expect(await running).toMatchObject({ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('not known') });
    await untilState('lost');
    expect(await refusal(mcp.client, 'pty_exec', { pty_id: there, cmd: 'ls' })).toMatchObject({
      code: 'HOST_UNAVAILABLE',
      message: 'box is not connected (lost), so nothing was sent',
    });
    expect(await call(mcp.client, 'pty_list')).toMatchObject({
      ptys: [{ pty_id: own }],
      hosts_silent: [{ host: 'box', reason: 'it is not connected (lost)' }],
    });
    line.repair();
    await untilState('connected');
    await vi.waitFor(async () => expect(await sshd.run('cat ran.txt')).toBe('once\n'), TIME);
    await vi.waitFor(async () => expect(await idle(there)).toBe(true), TIME);
    expect(await sshd.run('cat ran.txt')).toBe('once\n');
    const rules = (await audited('pty_exec')).map(({ rule }) => rule);
    expect(rules.filter((rule) => rule === 'OUTCOME_UNKNOWN')).toHaveLength(1);
  });
});
