import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { processStart } from '../../src-main/store/files/processIdentity.ts';
import { connectTo } from '../support/coreClient.ts';
import { hostPid, killHost } from '../support/hostProcess.ts';
import { soon } from '../support/soon.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { startDriver } from './runDriver.ts';

let folder: string;
let home: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-desktop-'));
  home = join(folder, 'record');
  onTestFinished(() => {
    killHost(home);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 }); // processes of the app may still write a last file
  });
});

/** The files of a package outside its archive: the program and its own Node. */
function packagedResources(): string {
  const resources = join(folder, 'resources');
  const put = (target: string, path: string): void => {
    mkdirSync(dirname(join(resources, path)), { recursive: true });
    symlinkSync(target, join(resources, path));
  };
  put(process.execPath, 'bridge/node/bin/node');
  put(join(ROOT, 'out/main'), 'bridge/out/main');
  return resources;
}

/** Starts the built desktop app on the fake Electron; resolves when its core answers. */
async function startApp(env: Record<string, string>): Promise<ChildProcess> {
  const app = startDriver('driveStart.ts', folder, { HANSARD_HOME: home, ...env });
  onTestFinished(() => void app.kill('SIGKILL'));
  app.stdout.resume();
  app.stderr.resume();
  await soon(() => existsSync(join(home, 'core.json')) && coreOf(home).pid).toBe(app.pid);
  return app;
}

const coreOf = (at: string): { pid: number } => JSON.parse(readFileSync(join(at, 'core.json'), 'utf8'));

async function asked<T>(ask: (api: ReturnType<typeof connectTo>['api']) => Promise<T>): Promise<T> {
  const { api, dispose } = connectTo(home);
  return ask(api).finally(() => dispose());
}

async function end(app: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = new Promise((resolve) => app.once('exit', resolve));
  app.kill(signal);
  await gone;
}

async function openShell(): Promise<{ id: string; pid: number }> {
  const at = join(folder, 'pid');
  return asked(async (api) => {
    const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
    const text = `echo $$ > ${at}.new; mv ${at}.new ${at}; sleep 1000`;
    await soon(async () => (await api.terminal.submit.mutate({ id, text })).ok).toBe(true);
    await soon(() => existsSync(at)).toBe(true);
    return { id, pid: Number(readFileSync(at, 'utf8')) };
  });
}

describe('the packaged desktop app', () => {
  test('starts the PTY host with its own Node: shells live through a crash, and end when it quits', async () => {
    const FAKE_RESOURCES = packagedResources();
    const first = await startApp({ FAKE_RESOURCES, HANSARD_NODE: '/nowhere/node' }); // a package uses its own Node
    const shell = await openShell();
    expect(readFileSync(`/proc/${hostPid(home)}/cmdline`, 'utf8').split('\0')[0]).toBe(
      join(FAKE_RESOURCES, 'bridge/node/bin/node'),
    );
    await end(first, 'SIGKILL');
    const second = await startApp({ FAKE_RESOURCES });
    const { keepsShells, terminals } = await asked((api) => api.system.status.query());
    expect(keepsShells).toBe(true);
    expect(terminals.find(({ id }) => id === shell.id)).toMatchObject({ state: 'live', running: ['sleep 1000'] });
    expect(processStart(shell.pid)).not.toBeNull();
    await end(second, 'SIGTERM');
    await soon(() => [processStart(shell.pid), hostPid(home)]).toEqual([null, null]);
  });

  test('starts it with the Node of the command that opened it in a checkout, and shells end when it quits', async () => {
    const app = await startApp({ HANSARD_NODE: process.execPath });
    const shell = await openShell();
    expect((await asked((api) => api.system.status.query())).keepsShells).toBe(true);
    expect(readFileSync(`/proc/${shell.pid}/environ`, 'utf8')).not.toContain('HANSARD_NODE');
    await end(app, 'SIGTERM');
    await soon(() => [processStart(shell.pid), hostPid(home)]).toEqual([null, null]);
  });

  test.each([
    ['an AppImage, whose files are gone with it', () => ({ FAKE_RESOURCES: packagedResources(), APPIMAGE: '/a' })],
    ['a checkout that no command has opened', () => ({})],
  ])('runs shells itself in %s', async (_, env) => {
    await startApp(env());
    await openShell();
    expect((await asked((api) => api.system.status.query())).keepsShells).toBe(false);
    expect(hostPid(home)).toBeNull();
  });
});
