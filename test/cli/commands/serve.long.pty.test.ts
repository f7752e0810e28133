import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { eventually, Installation, type RunningCli } from '../Installation.ts';
import type { RunOptions } from '../runCli.ts';

const built = new Installation({ isBuilt: true });
afterAll(() => built.dispose());

const running: RunningCli[] = [];
afterEach(async () => {
  for (const cli of running.splice(0))
    if (cli.child.exitCode === null && cli.child.signalCode === null) await cli.end('SIGKILL');
});

function start(args: readonly string[], options: RunOptions, installation = built): RunningCli {
  const cli = installation.start(args, options);
  running.push(cli);
  return cli;
}

async function refusal(
  args: readonly string[],
  options: RunOptions,
  installation = built,
): Promise<[number | null, string, string]> {
  const cli = start(args, options, installation);
  const [code] = await cli.gone;
  return [code, cli.stdout, cli.stderr];
}

async function openShell(cli: RunningCli): Promise<number[]> {
  const core = cli.connect();
  await core.api.terminal.open.mutate({ cols: 80, rows: 24 });
  core.dispose();
  return eventually('a shell', () => (cli.shells().length > 0 ? cli.shells() : undefined));
}

function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

describe('serve', () => {
  test('prints one line, with one URL and nothing else', async () => {
    const cli = start(['serve', '--no-open'], { home: suiteFolder('serve') });
    const url = await cli.url();
    expect([cli.stdout, cli.stderr]).toEqual([`Hansard is ready: ${url}\n`, '']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{22}$/);
    expect(await cli.end()).toBe(0);
    expect(cli.stdout).toBe(`Hansard is ready: ${url}\n`);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it with 0 and leaves no shell, no lock and no socket behind',
    async (signal) => {
      const home = suiteFolder('serve-signal');
      const cli = start(['serve', '--no-open'], { home });
      await cli.url();
      const shells = await openShell(cli);
      expect([await cli.end(signal), cli.stderr]).toEqual([0, '']);
      await eventually('the end of the shells', () => (shells.some(isThere) ? undefined : true));
      expect(readdirSync(home).filter((name) => name.startsWith('core.') && name !== 'core.log')).toEqual([]);
      expect(existsSync(join(home, 'run/core.sock'))).toBe(false);
    },
  );

  test('a signal while it starts ends it as cleanly', async () => {
    const home = suiteFolder('serve-early');
    const cli = start(['serve', '--no-open'], { home });
    await eventually('the lock', () => (existsSync(join(home, 'core.lock')) ? true : undefined));
    expect(await cli.end('SIGTERM')).toBe(0);
    expect(existsSync(join(home, 'core.lock'))).toBe(false);
  });

  test('a second one joins the first and ends', async () => {
    const home = suiteFolder('serve-twice');
    const first = start(['serve', '--no-open'], { home });
    const url = new URL(await first.url());
    const second = start(['serve', '--no-open', '--port', '1'], { home });
    expect([(await second.gone)[0], second.stderr]).toEqual([
      0,
      'hansard: Hansard is already running: --port 1 has no effect.\n',
    ]);
    const joined = new URL(await second.url().catch(() => second.stdout.replace('Hansard is already running: ', '')));
    expect([joined.host, joined.hash === url.hash]).toEqual([url.host, false]);
    expect(await first.end()).toBe(0);
  });

  test('open in a folder opens a terminal there in the one that runs', async () => {
    const home = suiteFolder('open-joins');
    const folder = suiteFolder('open-here');
    const first = start(['open', '--no-open', folder], { home });
    await first.url();
    mkdirSync(join(folder, 'inner'));
    expect((await start(['inner', '--no-open'], { home, cwd: folder }).gone)[0]).toBe(0);
    const ls = start(['ls', '--json'], { home });
    await ls.gone;
    const { terminals } = JSON.parse(ls.stdout) as { terminals: { cwd: string }[] };
    expect(terminals.map(({ cwd }) => cwd)).toEqual([folder, join(folder, 'inner')]);
    expect(await first.end('SIGINT')).toBe(0);
  });

  test('a relative HANSARD_HOME means the same place wherever it is started', async () => {
    const userHome = suiteFolder('user-home');
    const cli = start(['serve', '--no-open'], { home: 'own/record', env: { HOME: userHome }, cwd: tmpdir() });
    await cli.url();
    expect(statSync(join(userHome, 'own/record')).mode & 0o777).toBe(0o700);
    expect(await cli.end()).toBe(0);
  });
});

describe('serve refuses, in one line and with 69,', () => {
  test('a port that is in use', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    const home = suiteFolder('port-in-use');
    const [code, stdout, stderr] = await refusal(['serve', '--no-open', '--port', String(port)], { home });
    await new Promise((resolve) => server.close(resolve));
    expect([code, stdout, stderr]).toEqual([
      69,
      '',
      `hansard: port ${port} is in use. Choose another with --port N, or leave it out for a free one.\n`,
    ]);
    expect(existsSync(join(home, 'core.lock'))).toBe(false);
  });

  test('a window that is not built', async () => {
    const bare = new Installation({ isBuilt: false });
    const home = suiteFolder('not-built');
    const [code, stdout, stderr] = await refusal(['serve', '--no-open'], { home }, bare);
    bare.dispose();
    expect([code, stdout, stderr]).toEqual([
      69,
      '',
      `hansard: the window is not built (no index.html in ${bare.root}/out/renderer). Run \`npm start\` once in ${bare.root}.\n`,
    ]);
    expect(existsSync(join(home, 'core.lock'))).toBe(false);
  });

  test('a data folder that is a file', async () => {
    const home = join(suiteFolder('home-file'), 'data');
    writeFileSync(home, '');
    expect(await refusal(['serve'], { home })).toEqual([
      69,
      '',
      `hansard: the record has no place: ${home} is not a folder. Set HANSARD_HOME to a folder of your own, or repair this one.\n`,
    ]);
  });

  test('a data folder that cannot be made', async () => {
    const [code, stdout, stderr] = await refusal(['serve'], { home: '/dev/null/hansard' });
    expect([code, stdout]).toEqual([69, '']);
    expect(stderr).toMatch(
      /^hansard: the record has no place: \/dev\/null\/hansard could not be made: .* Set HANSARD_HOME to a folder of your own, or repair this one\.\n$/,
    );
  });
});
