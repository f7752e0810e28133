import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { processStart } from '../../src-main/store/files/processIdentity.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { hostPid } from '../support/hostProcess.ts';
import { soon } from '../support/soon.ts';
import { ServedApp } from '../support/WebApp.ts';

const ON = { HANSARD_PTY_HOST: 'on' };

/** Opens a shell with a waiting program; resolves with the shell's process id. */
async function openShell(home: string): Promise<number> {
  const at = join(home, 'pid');
  const { api, dispose } = connectTo(home);
  try {
    const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
    const text = `echo $$ > ${at}.new; mv ${at}.new ${at}; sleep 1000`;
    await soon(async () => (await api.terminal.submit.mutate({ id, text })).ok).toBe(true);
    await soon(() => existsSync(at)).toBe(true);
    return Number(readFileSync(at, 'utf8'));
  } finally {
    dispose();
  }
}

async function backgroundCore(): Promise<BackgroundCore> {
  const core = new BackgroundCore(ON);
  onTestFinished(async () => {
    await core.run('serve', 'stop', '--force');
    await core.dispose();
  });
  await core.start();
  return core;
}

async function servedApp(): Promise<ServedApp> {
  const app = new ServedApp({ env: ON });
  onTestFinished(() => app.dispose());
  return app.start();
}

describe('what ends Hansard on purpose ends its shells and leaves no PTY host behind', () => {
  test.each([
    ['Ctrl+C', 'SIGINT'],
    ['a closed terminal', 'SIGHUP'],
    ['the end of the system', 'SIGTERM'],
  ] as const)('%s', async (_, signal) => {
    const app = await servedApp();
    const shell = await openShell(app.home);
    expect(hostPid(app.home)).not.toBeNull();
    await app.stop(signal);
    await soon(() => [processStart(shell), hostPid(app.home)]).toEqual([null, null]);
  });

  test('hansard serve stop', async () => {
    const core = await backgroundCore();
    const shell = await openShell(core.home);
    expect(hostPid(core.home)).not.toBeNull();
    const { code } = await core.run('serve', 'stop', '--force');
    expect(code).toBe(0);
    await soon(() => [processStart(shell), hostPid(core.home)]).toEqual([null, null]);
  });
});

describe('the command line says', () => {
  test('whether shells run in the PTY host', async () => {
    const core = await backgroundCore();
    const status = await core.run('serve', 'status');
    const named = `in the PTY host (process ${hostPid(core.home)})`;
    expect(status.stdout).toMatch(/^ {2}shells +in the PTY host/m);
    expect(status.stdout).toContain(named);
    const doctor = await core.run('doctor');
    expect(doctor.stdout).toContain(`shells run ${named}`);
    expect((await core.status()).keepsShells).toBe(true);
  });

  test('that they end with Hansard once the host is gone, and then a restart asks', async () => {
    const core = await backgroundCore();
    process.kill(hostPid(core.home) ?? 0, 'SIGKILL');
    await soon(async () => (await core.status()).keepsShells).toBe(false);
    expect((await core.run('serve', 'status')).stdout).toMatch(/^ {2}shells +end with Hansard$/m);
    expect((await core.run('doctor')).stdout).toContain('shells run in Hansard itself');
    const shell = await openShell(core.home);
    const { code, stderr } = await core.run('serve', 'restart');
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 program still runs')]);
    expect(processStart(shell)).not.toBeNull();
  });

  test('that shells run on after a crash', async () => {
    const core = await backgroundCore();
    const shell = await openShell(core.home);
    await core.killCore();
    const named = `run on in the PTY host (process ${hostPid(core.home)})`;
    for (const command of [['ls'], ['serve', 'status'], ['doctor']]) {
      const { stdout, stderr } = await core.run(...command);
      expect(stdout + stderr, command.join(' ')).toContain(named);
    }
    const stop = await core.run('serve', 'stop');
    expect([stop.code, stop.stderr]).toEqual([0, expect.stringContaining(`Its shells ${named}`)]);
    expect(processStart(shell)).not.toBeNull();
    await core.start();
    await core.run('serve', 'stop', '--force');
    await soon(() => [processStart(shell), hostPid(core.home)]).toEqual([null, null]);
  });
});
