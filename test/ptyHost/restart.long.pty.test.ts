import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import { processStart } from '../../src-main/store/files/processIdentity.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { hostPid } from '../support/hostProcess.ts';
import { Installation } from '../support/Installation.ts';
import { soon } from '../support/soon.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { CLI, shellEnv } from '../support/WebApp.ts';

const RESTARTS = timesOf({ merge: 3, soak: 20 });

let core: BackgroundCore;

beforeEach(async () => {
  core = new BackgroundCore();
  onTestFinished(async () => {
    await core.run('serve', 'stop', '--force');
    await core.dispose();
  });
  await core.start();
});

/** Runs `ask` with a new connection. */
async function asked<T>(ask: (api: ReturnType<typeof connectTo>['api']) => Promise<T>): Promise<T> {
  const connection = connectTo(core.home);
  try {
    return await ask(connection.api);
  } finally {
    connection.dispose();
  }
}

const blocksOf = (terminalId: string): Promise<Block[]> =>
  asked(async (api) => (await api.block.page.query({ terminalId, limit: 20 })).blocks);

/** Opens a terminal; resolves when its shell runs `command`. */
async function running(command: string): Promise<string> {
  const { id } = await asked((api) => api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 }));
  await soon(async () => (await asked((api) => api.terminal.submit.mutate({ id, text: command }))).ok).toBe(true);
  await soon(async () => (await blocksOf(id)).at(-1)?.status).toBe('running');
  return id;
}

const rows = async (id: string): Promise<string> => {
  const { stdout } = await core.run('screen', id);
  return stdout;
};

/** The command line of an installation without these files. */
function installationWithout(...files: readonly string[]): string {
  const installed = new Installation();
  onTestFinished(() => installed[Symbol.dispose]());
  for (const file of files) rmSync(join(installed.root, file), { recursive: true });
  return installed.cli;
}

const shellPid = (path: string): number => Number(readFileSync(path, 'utf8'));

describe('hansard serve restart', () => {
  test(`keeps shells, cards, screen and the page's token over ${RESTARTS} updates`, async () => {
    using installed = new Installation();
    const at = join(core.home, 'pid');
    const id = await running(`echo $$ > ${at}; printf 'before %s\\n' the restart; cat`);
    await soon(() => existsSync(at)).toBe(true);
    const token = (): string => JSON.parse(readFileSync(join(core.home, 'core.json'), 'utf8')).token;
    const first = { pid: shellPid(at), start: processStart(shellPid(at)), token: token(), blocks: await blocksOf(id) };
    for (let n = 0; n < RESTARTS; n += 1) {
      const before = core.pid;
      installed.update(`1.0.${n}`);
      const { code, stdout } = await core.runBy(installed.cli, 'serve', 'restart');
      expect((await core.status()).version).toBe(`1.0.${n}`);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#\S+\n$/)]);
      expect(core.pid).not.toBe(before);
      await asked((api) => api.terminal.write.mutate({ id, data: `line ${n}\r` }));
      await soon(() => rows(id)).toContain(`line ${n}\nline ${n}`);
    }
    expect((await core.run('block', 'last', '-t', id)).stdout).toContain('before the\nbefore restart'); // the screen is too small
    expect([processStart(first.pid), token()]).toEqual([first.start, first.token]);
    const [block] = await blocksOf(id);
    const [known] = first.blocks;
    expect(block).toMatchObject({ id: known?.id, startedMs: known?.startedMs, cmd: known?.cmd, status: 'running' });
    await asked((api) => api.terminal.write.mutate({ id, data: '\x04' }));
    await soon(async () => (await blocksOf(id)).at(-1)).toMatchObject({
      id: known?.id,
      status: 'completed',
      exitCode: 0,
    });
  });

  test('leaves an MCP client of the earlier build with its bridge, which answers from the new core', async () => {
    using installed = new Installation();
    const id = await running("printf 'asked %s\\n' here; cat");
    const client = new Client({ name: 'kept', version: '1' });
    const args = [installed.cli, 'mcp', '--home', core.home];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: {}, stderr: 'ignore' }));
    onTestFinished(() => client.close());
    const read = async (): Promise<string> =>
      JSON.stringify(await client.callTool({ name: 'pty_snapshot', arguments: { pty_id: id } }));
    expect(await read()).toContain('asked here');
    installed.update('1.1.0');
    await core.runBy(installed.cli, 'serve', 'restart');
    await soon(read).toContain('asked here');
    installed.update('1.2.0');
    await core.killCore();
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    expect(await read()).toContain('APP_NOT_RUNNING');
    await core.runBy(installed.cli, 'serve', 'start');
    await soon(read).toContain('asked here');
  });

  test('says in the terminal of `hansard serve` that Hansard continues in the background', async () => {
    await core.run('serve', 'stop');
    const front = core.run('serve', '--no-open');
    await soon(() => core.pid).toBeGreaterThan(0);
    await soon(async () => (await core.run('serve', 'restart')).code).toBe(0); // while it starts, it does not answer
    const { code, stdout, stderr } = await front;
    expect([code, stdout]).toEqual([0, expect.stringContaining('Hansard is ready')]);
    expect(stderr).toContain('continues in the background');
    expect((await core.status()).isBackground).toBe(true);
  });

  test('starts Hansard when none runs', async () => {
    await core.run('serve', 'stop');
    const { code } = await core.run('serve', 'restart');
    expect([code, core.pid > 0]).toEqual([0, true]);
  });

  test('ends nothing when the window is not built, because no core could start then', async () => {
    const { pid } = core;
    const { code, stderr } = await core.runBy(installationWithout('out/renderer'), 'serve', 'restart');
    expect([code, stderr]).toEqual([69, expect.stringContaining('the window is not built')]);
    expect(core.pid).toBe(pid);
    expect((await core.status()).pid).toBe(pid);
  });

  test('ends nothing when a part of the program is missing, as while an update is copied', async () => {
    const { pid } = core;
    const chunks = readdirSync(join(ROOT, 'out/main/chunks')).filter((name) => /^startCore-.*\.js$/.test(name));
    const cli = installationWithout(...chunks.map((name) => `out/main/chunks/${name}`));
    const { code, stderr } = await core.runBy(cli, 'serve', 'restart');
    expect([code, stderr]).toEqual([70, expect.stringMatching(/this program cannot be loaded \(.*Nothing was ended/)]);
    expect(core.pid).toBe(pid);
    expect((await core.status()).pid).toBe(pid);
  });

  test('asks before it ends programs where no PTY host runs', async () => {
    await core.run('serve', 'stop');
    const plain = new BackgroundCore({ HANSARD_PTY_HOST: 'off' });
    onTestFinished(() => plain.dispose());
    core = plain;
    await core.start();
    await running('sleep 100');
    const { code, stderr } = await core.run('serve', 'restart');
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 program still runs')]);
  });
});

test('a shell has the environment and the umask of the Hansard that opened it, not of the one that started the host', async () => {
  const shell = async (name: string): Promise<string> => {
    const at = join(core.home, name);
    const { id } = await asked((api) => api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 }));
    const text = `echo "$SSH_AUTH_SOCK $DISPLAY $WAYLAND_DISPLAY $TERM $(umask)" > ${at}.new; mv ${at}.new ${at}`;
    await soon(async () => (await asked((api) => api.terminal.submit.mutate({ id, text }))).ok).toBe(true);
    await soon(() => existsSync(at)).toBe(true);
    expect(hostPid(core.home)).toBe(host);
    return readFileSync(at, 'utf8').trimEnd();
  };
  const host = hostPid(core.home);
  const plain = await shell('first');
  const session = { SSH_AUTH_SOCK: '/tmp/agent.2', DISPLAY: ':2', WAYLAND_DISPLAY: 'wayland-2' };
  const restart = ['-c', 'umask 027; exec "$@"', 'sh', process.execPath, CLI, 'serve', 'restart'];
  await promisify(execFile)('/bin/sh', restart, { env: { ...shellEnv(), ...session, HANSARD_HOME: core.home } });
  expect(await shell('second')).toBe('/tmp/agent.2 :2 wayland-2 xterm-256color 0027');
  expect(plain).toMatch(/^ {3}xterm-256color 0\d+$/);
});

describe('while no core is there', () => {
  test('a command ends with its own exit code and time, and programs get the answers that need no screen', async () => {
    const go = join(core.home, 'go');
    const answer = join(core.home, 'answer');
    const script = join(core.home, 'asks.sh');
    writeFileSync(
      script,
      // on a busy machine the host may learn a moment later that the core is gone
      `until [ -e ${go} ]; do sleep 0.05; done\nsleep 1\nstty raw -echo\nprintf '\\033[5n'\nhead -c 4 > ${answer}\nstty sane\nexit 7\n`,
    );
    const id = await running(`bash ${script}`);
    await core.killCore();
    writeFileSync(go, '');
    await soon(() => existsSync(answer) && readFileSync(answer, 'latin1')).toBe('\x1b[0n');
    const endedBy = Date.now() + 2_000;
    await soon(() => Date.now() > endedBy).toBe(true); // the block must not get the time of the next start
    await core.start();
    await soon(async () => (await blocksOf(id)).at(-1)?.status).toBe('completed');
    const block = (await blocksOf(id)).at(-1);
    expect(block).toMatchObject({ exitCode: 7, cmd: `bash ${script}` });
    expect(block?.endedMs).toBeLessThan(endedBy);
    expect((await asked((api) => api.terminal.submit.mutate({ id, text: 'echo next' }))).ok).toBe(true);
    await soon(async () => (await blocksOf(id)).at(-1)).toMatchObject({ cmd: 'echo next', exitCode: 0 });
  });

  test('a terminal whose size was another when the core was killed gets its own size again, also in the record', async () => {
    const text = "printf 'top\\n\\033[999;1Hbottom'; read a; stty size; printf '\\033[999;1Hlast'; read b";
    const id = await running(text);
    await soon(() => rows(id)).toContain('bottom');
    await asked((api) => api.terminal.resize.mutate({ id, cols: 80, rows: 40 }));
    await core.killCore();
    const { meta, events } = new SessionFolder(core.home, id);
    writeFileSync(meta, JSON.stringify({ ...JSON.parse(readFileSync(meta, 'utf8')), rows: 30 }));
    await core.start();
    await asked((api) => api.terminal.write.mutate({ id, data: '\r' }));
    await soon(() => rows(id)).toContain('30 80');
    await asked((api) => api.terminal.write.mutate({ id, data: '\r' }));
    await soon(async () => (await blocksOf(id)).at(-1)?.status).toBe('completed');
    const sizes = readFileSync(events, 'utf8')
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => JSON.parse(line).rows ?? []);
    expect(sizes).toEqual([24, 40, 30]);
    const { id: blockId = '' } = (await blocksOf(id)).at(-1) ?? {};
    const texts = async (): Promise<string[]> => {
      const query = { terminalId: id, blockId, from: 0, count: 100 };
      const { lines } = await asked((api) => api.block.lines.query(query));
      return lines.map(({ spans }) =>
        spans
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      );
    };
    await soon(async () => (await texts()).indexOf('last') - (await texts()).indexOf('bottom')).toBe(30 - 24);
  });

  test('a size that comes while a core catches up is recorded behind the output of the size before', async () => {
    const id = await running('seq 1 6000000; read a');
    await soon(async () => (await rows(id)).includes('6000000'), 90_000).toBe(true); // a flood of 48 MB
    await core.killCore();
    const { raw, events } = new SessionFolder(core.home, id);
    const { size } = statSync(raw);
    await core.start();
    await asked((api) => api.terminal.resize.mutate({ id, cols: 70, rows: 20 }));
    const resizes = () =>
      readFileSync(events, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
        .filter(({ type }) => type === 'resize')
        .map(({ at, cols }) => [at, cols]);
    await soon(resizes).toEqual([[size, 70]]);
    await asked((api) => api.terminal.write.mutate({ id, data: '\r' }));
    await soon(async () => (await blocksOf(id)).at(-1)?.status).toBe('completed');
    expect((await asked((api) => api.terminal.submit.mutate({ id, text: 'stty size' }))).ok).toBe(true);
    await soon(() => rows(id)).toContain('20 70');
  });

  test('a shell that ends is shown with its exit code by the next core', async () => {
    const go = join(core.home, 'go');
    const id = await running(`until [ -e ${go} ]; do sleep 0.05; done; exec bash -c 'exit 5'`);
    await core.killCore();
    writeFileSync(go, '');
    await core.start();
    const view = () => asked(async (api) => (await api.system.status.query()).terminals.find((one) => one.id === id));
    await soon(async () => (await view())?.state).toBe('exited');
    await soon(async () => (await blocksOf(id)).at(-1)).toMatchObject({ status: 'completed', exitCode: 5 });
  });
});

test('when the host is killed its shells end, what they printed is on disk, and their cards say interrupted', async () => {
  const at = join(core.home, 'pid');
  const id = await running(`echo $$ > ${at}; echo printed before; cat`);
  await soon(() => rows(id)).toContain('printed before');
  const pid = shellPid(at);
  const parent = Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1]);
  process.kill(parent, 'SIGKILL');
  await soon(async () => (await blocksOf(id)).at(-1)).toMatchObject({ status: 'interrupted', exitCode: null });
  await soon(() => processStart(pid)).toBeNull();
  const raw = readFileSync(new SessionFolder(core.home, id).raw, 'latin1');
  expect(raw).toContain('printed before\r\n');
});
