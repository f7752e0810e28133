import { afterEach, describe, expect, test, vi } from 'vitest';
import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { CLI } from '../support/builtProgram.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { shellEnv } from '../support/WebApp.ts';
import { SSHD } from './rig/findProgram.ts';
import { SshClient } from './rig/SshClient.ts';
import { type Sshd, type SshdOptions, startSshd } from './rig/startSshd.ts';

const TIME = { timeout: 60_000, interval: 50 };
const started: { dispose(): unknown }[] = [];
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

/** Another machine with Hansard, and a core of this machine. */
async function pair(options: SshdOptions = {}): Promise<{ sshd: Sshd; here: BackgroundCore }> {
  const client = new SshClient();
  started.push(client);
  const sshd = await startSshd({ ...options, client });
  started.push(sshd);
  sshd.installHansard();
  const here = new BackgroundCore(client.env);
  started.push(here);
  return { sshd, here };
}

/** Runs the command line on a terminal into which the test types. */
function onTerminal(here: BackgroundCore, { client, ...more }: { client: SshClient; env?: object }, ...args: string[]) {
  const env = {
    ...(shellEnv() as Record<string, string>),
    ...client.env,
    HANSARD_HOME: here.home,
    TERM: 'xterm-256color',
    ...more.env,
  };
  const pty = spawnNodePty({ file: process.execPath, argv: [CLI, ...args], cwd: ROOT, env, cols: 100, rows: 30 });
  let text = '';
  pty.onBytes((bytes) => {
    text += Buffer.from(bytes).toString();
  });
  const ended = new Promise<number | null>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  started.push(pty);
  const shows = (words: string | RegExp): Promise<unknown> => vi.waitFor(() => expect(text).toMatch(words), TIME);
  return { type: (keys: string) => pty.write(Buffer.from(keys)), shows, ended, text: () => text };
}

interface HostsJson {
  hosts: {
    name: string;
    state: string;
    terminals: number;
    info: { version: string } | null;
    latencyMs: number | null;
  }[];
}

async function hosts(here: BackgroundCore): Promise<HostsJson['hosts']> {
  return (JSON.parse((await here.run('hosts', '--json')).stdout) as HostsJson).hosts;
}

describe.skipIf(SSHD === null)('hansard ssh', () => {
  test('asks for the host key and the passphrase, opens a terminal there, and leaves it running', async () => {
    const { sshd, here } = await pair({ isUnknown: true, passphrase: 'correct horse' });
    const { type, shows, ended, text } = onTerminal(here, sshd, 'ssh', sshd.name);
    await shows(/authenticity of host.*\[y\/N\]/s);
    type('y\r');
    await shows(/passphrase for key/i);
    type('correct horsf\x7fe\r');
    await shows(/[$#] /);
    type('pwd; echo far $((6 * 7))\r');
    await shows(/far 42/);
    expect(text()).toContain(sshd.home);
    expect(text()).not.toContain('correct');
    type('\x1cd');
    await shows('detached from on-');
    expect(await ended).toBe(0);
    await vi.waitFor(async () => expect((await hosts(here))[0]?.latencyMs).not.toBeNull(), TIME);
    const [host] = await hosts(here);
    expect(host).toMatchObject({ name: 'box', state: 'connected', info: { version: '0.1.0' } });
    expect(host?.terminals).toBeGreaterThan(0);
    expect(sshd.corePid).not.toBe(0);
    await here.run('hosts', 'disconnect', 'box');
    const refused = await here.run('hosts', 'forget', 'box');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/asks something.*--keep-server/s)]);
    expect(await hosts(here)).toMatchObject([{ name: 'box', state: 'off' }]);
  });

  test('only connects without a terminal; hosts lists, disconnects and forgets', async () => {
    const { sshd, here } = await pair();
    expect(await here.run('ssh', 'box')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/Connected to box/),
    });
    expect((await here.run('hosts')).stdout).toMatch(/^HOST +STATE .*\nbox +connected /);
    expect((await here.run('hosts', 'disconnect', 'box')).code).toBe(0);
    expect(await hosts(here)).toMatchObject([{ name: 'box', state: 'off' }]);
    expect(sshd.corePid).not.toBe(0);
    expect((await here.run('hosts', 'forget', 'box', '--keep-server')).code).toBe(0);
    expect(sshd.corePid).not.toBe(0);
    expect(await hosts(here)).toEqual([]);
    expect((await here.run('hosts', 'forget', 'box')).code).toBe(66);
  });

  test('reaches a machine behind a jump host, and not without that host', async () => {
    const { sshd, here } = await pair({ isBehindJump: true });
    expect(await here.run('ssh', 'box')).toMatchObject({ code: 0, stderr: expect.stringMatching(/Connected to box/) });
    expect(await hosts(here)).toMatchObject([{ name: 'box', state: 'connected' }]);
    sshd.client.point(`${sshd.name}-jump`, 1);
    await here.run('hosts', 'disconnect', 'box');
    const cut = await here.run('ssh', 'box');
    expect([cut.code, cut.stderr]).toEqual([69, expect.stringMatching(/box could not be connected/)]);
  });

  test('opens the terminal in the window when it is typed in a terminal of Hansard', async () => {
    const { sshd, here } = await pair();
    const env = { TERM_PROGRAM: 'hansard' };
    const { shows, ended } = onTerminal(here, { client: sshd.client, env }, 'ssh', sshd.name);
    await shows(/Opened a terminal on box: it is in the sidebar of Hansard on /);
    expect(await ended).toBe(0);
    expect(await hosts(here)).toMatchObject([{ state: 'connected', terminals: 1 }]);
  });

  test('refuses a host whose Hansard is this one itself', async () => {
    const client = new SshClient();
    const here = new BackgroundCore(client.env);
    const sshd = await startSshd({ client, env: { HANSARD_HOME: here.home } });
    started.push(client, sshd, here);
    sshd.installHansard();
    const self = await here.run('ssh', 'box');
    expect([self.code, self.stderr]).toEqual([69, expect.stringMatching(/is the Hansard of this window itself/)]);
    expect(await hosts(here)).toMatchObject([{ state: 'failed', terminals: 0 }]);
  });

  test('says what failed, and asks nothing where nobody can answer', async () => {
    const { sshd, here } = await pair({ passphrase: 'secret' });
    const locked = await here.run('ssh', 'box');
    expect([locked.code, locked.stderr]).toEqual([69, expect.stringMatching(/passphrase.*in a terminal/s)]);
    expect((await here.run('ssh', '-oProxyCommand=x')).code).toBe(64);
    sshd.client.point('box', 1);
    await here.run('hosts', 'disconnect', 'box');
    const off = await here.run('ssh', 'box');
    expect([off.code, off.stderr]).toEqual([69, expect.stringMatching(/box could not be connected\. No SSH server/)]);
  });
});
