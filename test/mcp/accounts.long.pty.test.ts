import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../support/coreClient.ts';
import { CLI, ServedApp, shellEnv } from '../support/WebApp.ts';
import { call, connectClient, refusal } from './mcpClient.ts';

const READS = 12;
const app = new ServedApp();

function setReads(reads_per_min: number): void {
  const limits = { reads_per_min, exec_per_min: 2 };
  const policy = { version: 1, clients: { '*': { scopes: ['exec'] } }, exec: { default: 'deny' }, limits };
  writeFileSync(join(app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}

beforeAll(async () => {
  await app.start();
  setReads(READS);
}, 60_000);

afterAll(() => app.dispose());

/** A client with its own process: it uses a bridge, as agents do. */
async function throughBridge(name: string) {
  const bridge = spawn(process.execPath, [CLI, 'mcp'], {
    env: { ...shellEnv(), HANSARD_HOME: app.home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(new StdioServerTransport(bridge.stdout, bridge.stdin));
  return {
    client,
    close: async () => {
      await client.close();
      bridge.kill();
    },
  };
}

test('a process that comes again under other names and numbers has one budget, and takes nothing of that of another', async () => {
  const started = Date.now();
  let answered = 0;
  const refused: string[] = [];
  for (let n = 0; n < 40; n++) {
    const { client, close } = await connectClient(app.home, {
      name: `made-up-${n}`,
      preface: { bridge_pid: n % 2 === 0 ? 2 ** 22 - 1 - n : process.pid, client_hint: `hint-${n}` },
    });
    const told = await client.callTool({ name: 'pty_whoami', arguments: {} });
    if (told.isError) refused.push((told.structuredContent as { code: string }).code);
    else answered += 1;
    await close();
  }
  const refilled = Math.ceil(((Date.now() - started) / 60_000) * READS);
  expect(answered).toBeGreaterThanOrEqual(READS);
  expect(answered).toBeLessThanOrEqual(READS + refilled);
  expect(new Set(refused)).toEqual(new Set(['RATE_LIMITED']));
  const other = await throughBridge('made-up-1');
  expect(await call(other.client, 'pty_whoami')).toMatchObject({ client: 'made-up-1' });
  await other.close();
});

test('where a process runs is told by the kernel, not by the number that the process gives', async () => {
  setReads(10_000);
  const link = connectTo(app.home);
  const { id } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const looking = await throughBridge('looking');
  const shell = (await call(looking.client, 'pty_list')).ptys.find((one: { pty_id: string }) => one.pty_id === id);
  expect(shell.pid).toBeGreaterThan(1);
  await looking.close();
  const claimed = await connectClient(app.home, { preface: { bridge_pid: shell.pid } });
  await expect
    .poll(() => claimed.client.callTool({ name: 'pty_whoami', arguments: {} }).then((told) => told.structuredContent))
    .toMatchObject({ caller_verified: true });
  expect(await call(claimed.client, 'pty_whoami')).not.toMatchObject({ caller_pty_id: id });
  link.dispose();
  await claimed.close();
});

test('a client that floods under many names is counted together, and another one keeps its own entries', async () => {
  const link = connectTo(app.home);
  const flood = await connectClient(app.home, { mode: 'auto', name: 'flood' });
  for (let n = 0; n < 300; n++) {
    const clientInfo = { name: `flood-${n}`, version: '1' };
    await flood.client
      .callTool({
        name: 'pty_exec',
        arguments: { pty_id: 'none', cmd: 'id' },
        _meta: { 'io.modelcontextprotocol/clientInfo': clientInfo },
      })
      .catch(() => undefined);
  }
  const other = await throughBridge('honest');
  expect(await refusal(other.client, 'pty_exec', { pty_id: 'none', cmd: 'pwd' })).toMatchObject({});
  const { lines } = await link.api.audit.page.query({ limit: 500 });
  const made = new Set(lines.map(({ client }) => client).filter((name) => name.startsWith('flood-'))).size;
  expect(made, 'a name with each request').toBeGreaterThan(20);
  expect(made).toBeLessThan(60);
  expect(lines.filter(({ client }) => client === 'honest').map(({ tool }) => tool)).toContain('pty_exec');
  await other.close();
  await flood.close();
  link.dispose();
});
