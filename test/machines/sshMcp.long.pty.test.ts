import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from 'mcp-sdk-1/client/index.js';
import { StdioClientTransport as EarlierTransport } from 'mcp-sdk-1/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditLine } from '../../src-main/contract/mcp/audit.ts';
import { call, refusal } from '../mcp/mcpClient.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';
import { SSHD } from './rig/findProgram.ts';
import { SshClient } from './rig/SshClient.ts';
import { type Sshd, startSshd } from './rig/startSshd.ts';

const POLICY = {
  version: 1,
  clients: { '*': { scopes: ['exec'] } },
  exec: { allow: [{ argv: ['echo'] }, { argv: ['false'] }] },
};
const WORDS = 'tide "at" ü';

describe.skipIf(SSHD === null)('an MCP client with `ssh HOST hansard mcp` as its command', () => {
  const ssh = new SshClient();
  const client = new Client({ name: 'far client', version: '1.0.0' });
  let sshd: Sshd;

  beforeAll(async () => {
    sshd = await startSshd({ client: ssh });
    sshd.installHansard();
    // As on a person's machine: it finds the command, and says something to every shell.
    sshd.write('.bashrc', 'PATH=$HOME/.local/bin:$PATH\necho Welcome to box\n');
    sshd.write('.local/share/hansard/policy.json', JSON.stringify(POLICY), 0o600);
  });

  afterAll(async () => {
    await client.close();
    await sshd.dispose();
    ssh.dispose();
  });

  const command = () => ({
    command: join(ssh.bin, 'ssh'),
    args: [sshd.name, 'hansard', 'mcp'],
    env: ssh.env,
    stderr: 'ignore' as const,
  });
  const audit = (): AuditLine[] =>
    readFileSync(join(sshd.dataFolder, 'audit.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  test('lists the tools, also before Hansard runs there, and says so to a call', async () => {
    await client.connect(new StdioClientTransport(command()));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['pty_list', 'pty_exec', 'blocks_read']));
    expect(await refusal(client, 'pty_list')).toMatchObject({ code: 'APP_NOT_RUNNING' });
    expect(sshd.corePid).toBe(0);
  });

  test('runs a command there once Hansard runs, reads its block, and is in the audit log there', async () => {
    await sshd.run('hansard serve start');
    const far = connectTo(sshd.dataFolder);
    const { id: pty_id } = await far.api.terminal.open.mutate({ shell: 'bash', cols: 80, rows: 24 });
    await soon(async () => (await call(client, 'pty_list')).ptys).toMatchObject([{ pty_id, cwd: sshd.home }]);
    await soon(async () => (await call(client, 'pty_status', { pty_id })).idle.idle).toBe(true);
    const cmd = `echo '${WORDS}'; false`;
    const { block } = await call(client, 'pty_exec', { pty_id, cmd, wait_ms: 20_000 });
    expect(block).toMatchObject({ status: 'completed', exit_code: 1, actor: 'agent', client: 'far-client' });
    const { text } = await call(client, 'blocks_read', { block_id: block.block_id });
    expect(text).toContain(WORDS);
    expect(text).toMatch(/^\[terminal output · untrusted/);
    await soon(() => audit().filter(({ tool }) => tool === 'pty_exec')).toMatchObject([
      { pty: pty_id, what: cmd, client: 'far-client', decision: 'allowed' },
    ]);
    await soon(() => audit().map(({ tool }) => tool)).toContain('blocks_read');
    far.dispose();
  });

  test('works for a client of the earlier SDK too', async () => {
    const earlier = new EarlierClient({ name: 'earlier', version: '1' });
    await earlier.connect(new EarlierTransport(command()));
    const { isError, content } = await earlier.callTool({ name: 'pty_list', arguments: {} });
    expect([isError, JSON.stringify(content)]).toEqual([undefined, expect.stringContaining('pty_id')]);
    await earlier.close();
  });

  test('leaves no bridge there when the client ends', async () => {
    expect(bridgesOf(sshd.home)).toHaveLength(1);
    await client.close();
    await soon(() => bridgesOf(sshd.home)).toEqual([]);
  });
});

/** Process ids of the bridges that run with this home folder. */
function bridgesOf(home: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const read = (name: string) => readFileSync(join('/proc', pid, name), 'utf8').split('\0');
      return /^\d+$/.test(pid) && read('cmdline').includes('mcp') && read('environ').includes(`HOME=${home}`);
    } catch {
      return false; // it has ended
    }
  });
}
