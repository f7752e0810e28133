import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CoreAddress } from '../../src-main/hosts/web/coreAddress.ts';
import { lockPath } from '../../src-main/store/instance/lockFile.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { CLI, shellEnv } from '../support/WebApp.ts';

const TRIES = timesOf({ merge: 5, soak: 20 });
let core: BackgroundCore;
beforeEach(() => {
  core = new BackgroundCore();
});
afterEach(() => core.dispose());

const addressOf = ({ home }: BackgroundCore): CoreAddress =>
  CoreAddress.parse(JSON.parse(readFileSync(join(home, 'core.json'), 'utf8')));
const originOf = (url: string): string => new URL(url).origin;

async function timed(act: () => Promise<unknown>): Promise<number> {
  const atMs = Date.now();
  await act();
  return Date.now() - atMs;
}

describe('a start after the core was killed', () => {
  test('takes over its lock, its address and its socket, and waits for nothing', async () => {
    const firstMs = await timed(() => core.start());
    const dead = addressOf(core);
    await core.kill();
    const { ino } = lstatSync(dead.socketPath);
    // A busy machine slows both starts; a wait for the dead core would add seconds.
    expect(await timed(() => core.start())).toBeLessThan(2 * firstMs + 3_000);
    const alive = addressOf(core);
    expect([alive.pid === dead.pid, alive.token === dead.token, alive.socketPath]).toEqual([
      false,
      false,
      dead.socketPath,
    ]);
    expect(lstatSync(alive.socketPath).ino).not.toBe(ino);
    expect((await core.status()).pid).toBe(core.pid);
  });

  test.each(['core.json', 'run/core.sock', 'core.lock'])('starts as well where %s was lost besides', async (name) => {
    await core.start();
    await core.kill();
    rmSync(join(core.home, name));
    await core.start();
    expect((await core.status()).pid).toBe(core.pid);
  });

  test('is not held up by a process that has its number now', async () => {
    await core.start();
    const lock = JSON.parse(readFileSync(lockPath(core.home), 'utf8')) as { start: string };
    await core.kill();
    writeFileSync(lockPath(core.home), JSON.stringify({ ...lock, pid: process.pid }));
    await core.start();
    expect(core.pid).not.toBe(process.pid);
    expect((await core.status()).pid).toBe(core.pid);
  });
});

describe('a start beside a running core', () => {
  test(`of two in one instant, ${TRIES} times, one makes the core and the other joins it`, async () => {
    for (let round = 0; round < TRIES; round += 1) {
      const said = await Promise.all([core.run('serve', 'start'), core.run('serve', 'start')]);
      expect(said.map(({ code }) => code)).toEqual([0, 0]);
      expect(new Set(said.map(({ stdout }) => originOf(stdout.trim()))).size).toBe(1);
      const words = said.map(({ stderr }) => stderr.replace(/ \(.*\n/, '')).sort();
      expect(words).toEqual(['hansard: Hansard is already running', 'hansard: Hansard runs in the background']);
      // Half of the rounds follow a kill, so that the two also race for a stale lock.
      if (round % 2 === 0) await core.kill();
      else expect((await core.run('serve', 'stop')).code).toBe(0);
    }
  });

  test('waits for one that is just starting, and joins it', async () => {
    const first = spawn(process.execPath, [CLI, 'serve', '--no-open'], {
      env: { ...shellEnv(), HANSARD_HOME: core.home },
      stdio: 'ignore',
    });
    while (!existsSync(lockPath(core.home))) await sleep(1);
    first.kill('SIGSTOP');
    expect(existsSync(join(core.home, 'core.json'))).toBe(false);
    const second = core.run('serve', 'start');
    await sleep(1_500);
    first.kill('SIGCONT');
    const { code, stderr } = await second;
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Hansard is already running (process ${first.pid})`)]);
  });

  test('whose socket was removed says that it does not answer, and takes nothing from it', async () => {
    await core.start();
    const { pid, socketPath } = addressOf(core);
    rmSync(socketPath);
    const { code, stderr } = await core.run('serve', 'start');
    expect([code, stderr]).toEqual([
      69,
      `hansard: another Hansard (process ${pid}) uses ${core.home} and does not answer. Close it first.\n`,
    ]);
    expect(core.pid).toBe(pid);
    expect((await core.run('serve', 'stop', '--force')).code).toBe(0);
    expect((await core.run('serve', 'start')).code).toBe(0);
  });

  test('whose lock was removed does not become a second writer of its record', async () => {
    await core.start();
    const { pid, socketPath } = addressOf(core);
    const { api, dispose } = connectTo(core.home);
    onTestFinished(() => {
      dispose();
      process.kill(pid, 'SIGKILL'); // without its lock the suite cannot find it
    });
    const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
    while (!(await api.terminal.submit.mutate({ id, text: 'sleep 1000' })).ok) await sleep(20);
    while ((await api.block.page.query({ terminalId: id, limit: 1 })).blocks.length === 0) await sleep(20);
    rmSync(lockPath(core.home));
    const folder = new SessionFolder(core.home, id);
    const record = () => [folder.raw, folder.blocksJsonl, folder.meta].map((path) => readFileSync(path, 'utf8'));
    const before = record();
    const { code, stderr } = await core.run('serve', 'start');
    expect([code, stderr]).toEqual([69, expect.stringContaining(`${socketPath} is in use by another process`)]);
    expect([record(), existsSync(lockPath(core.home))]).toEqual([before, false]);
  });
});

test('a data folder of somebody else is refused by its name', async (context) => {
  if (process.getuid?.() !== 0) context.skip('only root can give a folder away');
  chownSync(core.home, 65_534, 65_534);
  chmodSync(core.home, 0o777);
  const { code, stderr } = await core.run('serve', 'start');
  expect([code, stderr]).toEqual([
    69,
    `hansard: the record has no place: ${core.home} belongs to another user (uid 65534, we are 0). Set HANSARD_HOME to a folder of your own, or repair this one.\n`,
  ]);
});
