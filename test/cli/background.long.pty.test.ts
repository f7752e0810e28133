import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CoreAddress } from '../../src-main/hosts/web/coreAddress.ts';
import { readLock } from '../../src-main/store/instance/lockFile.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { AttachedTerminal } from '../support/AttachedTerminal.ts';
import { connectTo } from '../support/coreClient.ts';
import { eventually, Installation } from './Installation.ts';
import { cliEnv, ended, type Ran } from './runCli.ts';

const built = new Installation({ isBuilt: true });
const homes: string[] = [];
afterEach(async () => {
  for (const home of homes.splice(0)) {
    const owner = readLock(home);
    if (!owner) continue;
    process.kill(owner.pid, 'SIGKILL');
    await eventually('its end', () => (readLock(home) ? undefined : true));
  }
});
afterAll(() => built.dispose());

function newHome(name: string): string {
  const home = suiteFolder(name);
  homes.push(home);
  return home;
}

/** Runs a command of the copied program to its end. */
async function hansard(home: string, ...args: string[]): Promise<Ran> {
  const cli = built.start(args, { home });
  const [code, signal] = await cli.gone;
  return { code, signal, stdout: cli.stdout, stderr: cli.stderr };
}

/** Starts a long-running program in a terminal of the core. Resolves when it runs. */
async function keepRunning(home: string): Promise<void> {
  const { api, dispose } = connectTo(home);
  const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  await eventually('a prompt', async () =>
    (await api.terminal.submit.mutate({ id, text: 'sleep 1000' })).ok ? true : undefined,
  );
  await eventually('the program', async () =>
    (await api.system.status.query()).terminals.some(({ running }) => running.length > 0) ? true : undefined,
  );
  dispose();
}

const fieldOf = (pid: number, at: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[at - 3]);
};

describe('serve start', () => {
  test('prints one URL, and leaves a core in a session of its own with its words in core.log', async () => {
    const home = newHome('start');
    const ran = await hansard(home, 'serve', 'start');
    const pid = readLock(home)?.pid ?? 0;
    expect(ran).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{22}\n$/),
      stderr: `hansard: Hansard runs in the background (process ${pid}). \`hansard serve stop\` ends it.\n`,
    });
    expect([fieldOf(pid, 6), fieldOf(pid, 7)]).toEqual([pid, 0]); // its own session, no controlling terminal
    expect(statSync(join(home, 'core.log')).mode & 0o777).toBe(0o600);
  });

  test('what it started outlives the terminal that it was started in', async () => {
    const home = newHome('start-hup');
    // `script` gives the shell its own terminal. Killing `script` closes the terminal, which hangs up all its processes.
    const main = join(built.root, 'out/main/cli.js');
    const line = `trap 'echo hung-up >> ${home}/hup; exit' HUP; '${process.execPath}' '${main}' serve start; while :; do sleep 0.1; done`;
    const terminal = spawn('script', ['-qfc', `bash -c "${line}"`, '/dev/null'], {
      env: cliEnv({ home }),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const gone = ended(terminal);
    await new Promise<void>((resolve) =>
      terminal.stdout.on('data', (text: Buffer) => text.toString().includes('http://') && resolve()),
    );
    const pid = readLock(home)?.pid;
    terminal.kill('SIGKILL');
    await gone;
    await eventually('the hang-up', () => (existsSync(join(home, 'hup')) ? true : undefined));
    expect(JSON.parse((await hansard(home, 'serve', 'status', '--json')).stdout)).toMatchObject({
      running: true,
      core: { pid, isBackground: true },
    });
  });

  test('a second one, `open` and `serve` say that one runs, and print a URL of it', async () => {
    const home = newHome('start-twice');
    const first = await hansard(home, 'serve', 'start');
    const pid = readLock(home)?.pid;
    const host = new URL(first.stdout).host;
    const second = await hansard(home, 'serve', 'start', '--port', '1');
    expect([second.code, new URL(second.stdout).host, second.stderr]).toEqual([
      0,
      host,
      `hansard: Hansard is already running (process ${pid}). \`hansard serve stop\` ends it.\nhansard: --port 1 has no effect.\n`,
    ]);
    for (const args of [
      ['open', '--no-open'],
      ['serve', '--no-open'],
    ]) {
      const joined = await hansard(home, ...args);
      expect([joined.code, new URL(joined.stdout.replace('Hansard is already running: ', '')).host]).toEqual([0, host]);
    }
    expect(readLock(home)?.pid).toBe(pid);
  });

  test('fails with the reason of the core, and leaves nothing behind', async () => {
    const home = newHome('start-fails');
    const other = newHome('start-other');
    const { port } = new URL((await hansard(other, 'serve', 'start')).stdout);
    const ran = await hansard(home, 'serve', 'start', '--port', port);
    expect(ran).toMatchObject({
      code: 69,
      stdout: '',
      stderr: `hansard: port ${port} is in use. Choose another with --port N, or leave it out for a free one.\n`,
    });
    expect([readLock(home), existsSync(join(home, 'core.json'))]).toEqual([null, false]);
  });
});

describe('serve status', () => {
  test('tells the process, its place and what runs in it', async () => {
    const home = newHome('status');
    const { stdout: url } = await hansard(home, 'serve', 'start');
    await keepRunning(home);
    const { code, stdout } = await hansard(home, 'serve', 'status', '--json');
    const pid = readLock(home)?.pid;
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        version: 1,
        dataFolder: home,
        running: true,
        core: {
          pid,
          startedMs: expect.any(Number),
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          build: expect.stringMatching(/^[0-9a-f]{16}$/),
          dataFolder: home,
          front: 'web',
          isBackground: true,
          keepsShells: true,
          origin: `${new URL(url).origin}/`,
          publicOrigin: null,
          connections: 1,
          waits: 0,
          terminals: [expect.objectContaining({ state: 'live', running: ['sleep 1000'], viewers: 0 })],
        },
      },
    ]);
    const forPeople = await hansard(home, 'serve', 'status');
    expect(forPeople.stdout).toMatch(
      new RegExp(`^Hansard runs in the background \\(process ${pid}\\)\\.\n {2}since .*\n(.*\n)*.*: sleep 1000\n$`),
    );
    expect(forPeople.stdout).not.toContain('#');
  });

  test('says that none runs with 3', async () => {
    const home = newHome('status-none');
    expect(await hansard(home, 'serve', 'status')).toMatchObject({
      code: 3,
      stdout: `Hansard is not running on ${home}. \`hansard serve start\` starts it.\n`,
    });
    const { code, stdout } = await hansard(home, 'serve', 'status', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([3, { version: 1, dataFolder: home, running: false, core: null }]);
  });

  test('says with 69 that one runs and does not answer', async () => {
    const home = newHome('status-silent');
    await hansard(home, 'serve', 'start');
    const pid = readLock(home)?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const ran = await hansard(home, 'serve', 'status');
    process.kill(pid, 'SIGCONT');
    expect([ran.code, ran.stderr]).toEqual([69, expect.stringContaining(`Hansard runs (process ${pid}) but `)]);
  });
});

describe('serve stop', () => {
  test('ends it when nothing runs, with the lock, the address and the socket gone when it returns', async () => {
    const home = newHome('stop');
    await hansard(home, 'serve', 'start');
    const { pid, socketPath } = CoreAddress.parse(JSON.parse(readFileSync(join(home, 'core.json'), 'utf8')));
    expect(await hansard(home, 'serve', 'stop')).toMatchObject({
      code: 0,
      stdout: `Hansard (process ${pid}) has ended; its record is complete.\n`,
    });
    expect([join(home, 'core.lock'), join(home, 'core.json'), socketPath].filter(existsSync)).toEqual([]);
    expect(await hansard(home, 'serve', 'stop')).toMatchObject({
      code: 0,
      stderr: `hansard: Hansard is not running on ${home}.\n`,
    });
  });

  test('names what runs and ends nothing; with --force it ends it', async () => {
    const home = newHome('stop-busy');
    await hansard(home, 'serve', 'start');
    const pid = readLock(home)?.pid;
    await keepRunning(home);
    expect(await hansard(home, 'serve', 'stop')).toMatchObject({
      code: 1,
      stderr: 'hansard: 1 program still runs (bash: sleep 1000). Nothing was ended; --force ends them.\n',
    });
    expect(readLock(home)?.pid).toBe(pid);
    expect((await hansard(home, 'serve', 'stop', '--force')).code).toBe(0);
    expect(readLock(home)).toBeNull();
  });

  test('at a terminal it names what runs and asks; only a yes ends it', async () => {
    const home = newHome('stop-asks');
    await hansard(home, 'serve', 'start');
    const pid = readLock(home)?.pid;
    await keepRunning(home);
    const argv = [process.execPath, join(built.root, 'out/main/cli.js'), 'serve', 'stop'];
    for (const [answer, exitCode, owner] of [
      ['\r', 1, pid],
      ['y\r', 0, undefined],
    ] as const) {
      const terminal = new AttachedTerminal(argv, { home });
      await terminal.until(() => terminal.text.includes('[y/N]'));
      expect(terminal.rows.slice(0, 3)).toEqual([
        '1 program still runs:',
        '  bash: sleep 1000',
        'End it and stop? [y/N]',
      ]);
      terminal.type(answer);
      expect(await terminal.exited).toMatchObject({ exitCode });
      expect(readLock(home)?.pid).toBe(owner);
      await terminal.dispose();
    }
  });

  test('says so when the core was killed while it waited', async () => {
    const home = newHome('stop-killed');
    await hansard(home, 'serve', 'start');
    const pid = readLock(home)?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const waiting = built.start(['serve', 'stop', '--force'], { home }); // silent for five seconds, then SIGTERM
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    process.kill(pid, 'SIGKILL');
    const [code] = await waiting.gone;
    expect([code, waiting.stderr]).toEqual([
      1,
      `hansard: process ${pid} is gone but did not close its record in ${home}: the next start repairs it.\n`,
    ]);
    expect((await hansard(home, 'serve', 'start')).code).toBe(0);
  });
});
