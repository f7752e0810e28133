import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clientPrograms, runsProgram } from '../../../src-main/mcp/access/clientProgram.ts';
import { call, connectClient, refusal } from '../mcpClient.ts';
import { ServedMcp } from '../ServedMcp.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-program-')));
const script = join(folder, 'agent.mjs');
const link = join(folder, 'agent');
const started: ChildProcess[] = [];

writeFileSync(
  script,
  "import('node:child_process').then(({ spawn }) => console.log(spawn('sleep', ['60']).pid));\nsetInterval(() => {}, 1000);\n",
);
symlinkSync(script, link);

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts an agent, which is a JavaScript program run by its symlink, and returns its pid and the pid of the bridge that it starts. */
async function agent(): Promise<{ pid: number; bridge: number }> {
  const child = spawn(process.execPath, ['--no-warnings', 'agent'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  const [printed] = await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, bridge: Number(printed) };
}

test('the program of a client is its executable and its script, and that of a bridge is what started it', async () => {
  const { pid, bridge } = await agent();
  const node = realpathSync(process.execPath);
  expect(clientPrograms(pid, false)).toEqual([node, script]);
  expect(clientPrograms(bridge, true)).toEqual([node, script]);
  expect(clientPrograms(bridge, false)).toEqual([realpathSync('/usr/bin/sleep')]);
  process.kill(bridge, 'SIGKILL');
});

test('a program is known by any link to it, and one that is gone is that of nobody', async () => {
  const { pid, bridge } = await agent();
  const programs = clientPrograms(pid, false);
  const asked = [link, script, process.execPath, '/usr/bin/sleep', join(folder, 'gone')];
  expect(asked.map((path) => runsProgram(programs, path))).toEqual([true, true, true, false, false]);
  expect([clientPrograms(null, false), clientPrograms(2 ** 22, false)]).toEqual([[], []]);
  process.kill(bridge, 'SIGKILL');
});

describe('a client whose rule names a program', () => {
  const served = new ServedMcp();
  const policyPath = () => join(served.app.home, 'policy.json');
  const allow = (program: string) => {
    const clients = { '*': { scopes: ['observe'] }, pinned: { scopes: ['input'], program } };
    writeFileSync(policyPath(), JSON.stringify({ version: 1, clients }), { mode: 0o600 });
  };

  let id = '';

  beforeAll(async () => {
    ({ id } = await served.start({ cols: 80, rows: 24 }));
  }, 60_000);
  afterAll(() => served.dispose());

  test('has the scopes of the rule only while it runs that program, and the refusal says why', async () => {
    const own = realpathSync(`/proc/${process.ppid}/exe`); // this process acts as the bridge, so its parent is the client's program
    const { client, close } = await connectClient(served.app.home, { name: 'pinned' });
    const scopes = async () => (await call(client, 'pty_whoami')).policy.input_default;
    allow(own);
    expect(await scopes()).not.toBe('not_allowed');
    allow('/usr/bin/sleep');
    expect(await scopes()).toBe('not_allowed');
    const refused = await refusal(client, 'pty_control', { action: 'request', pty_id: id, reason: 'to type' });
    expect(refused).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
    expect(refused.message).toContain('its rule is for the program /usr/bin/sleep');
    await close();
  });
});
