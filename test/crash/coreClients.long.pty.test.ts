import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { AttachedTerminal } from '../support/AttachedTerminal.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { CLI, shellEnv } from '../support/WebApp.ts';

let background: BackgroundCore;
let core: CoreConnection;
let id: string;
beforeEach(async () => {
  background = new BackgroundCore();
  await background.start();
  core = connectTo(background.home);
  id = (await core.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 })).id;
});
afterEach(async () => {
  core.dispose();
  await background.dispose();
});

interface Clients {
  /** Without the connection of this test. */
  connections: number;
  waits: number;
  viewers: number;
}

async function clients(): Promise<Clients> {
  const { connections, waits, terminals } = await core.api.system.status.query();
  return { connections: connections - 1, waits, viewers: terminals[0]?.viewers ?? -1 };
}

const NOBODY: Clients = { connections: 0, waits: 0, viewers: 0 };
const look = { timeout: 20_000, interval: 20 };

test('attached terminals that are killed leave no viewer and no connection in the core, and it goes on', async () => {
  const attached = Array.from(
    { length: 3 },
    () => new AttachedTerminal([process.execPath, CLI, 'attach', id], { home: background.home }),
  );
  await expect.poll(clients, look).toEqual({ connections: 3, waits: 0, viewers: 3 });
  while (!(await core.api.terminal.submit.mutate({ id, text: 'seq 1 300000; echo done' })).ok) await sleep(20);
  for (const terminal of attached) terminal.kill('SIGKILL'); // during a flood that no terminal reads
  await Promise.all(attached.map(({ exited }) => exited));
  await expect.poll(clients, look).toEqual(NOBODY);
  const last = async () => (await core.api.block.page.query({ terminalId: id, limit: 1 })).blocks[0];
  await expect.poll(async () => (await last())?.outputLines, look).toBe(300_001);
  for (const terminal of attached) await terminal.dispose();
});

test('waits of a command line that is killed end in the core', async () => {
  const waiting: ChildProcess[] = Array.from({ length: 3 }, () =>
    spawn(process.execPath, [CLI, 'wait', id, '--match', 'never comes', '--timeout', '600'], {
      env: { ...shellEnv(), HANSARD_HOME: background.home },
      stdio: 'ignore',
    }),
  );
  await expect.poll(clients, look).toEqual({ connections: 3, waits: 3, viewers: 0 });
  for (const child of waiting) child.kill('SIGKILL');
  await expect.poll(clients, look).toEqual(NOBODY);
});

test('a client that is stopped holds nothing up, and one that is killed while it stands still is gone as well', async () => {
  const attached = new AttachedTerminal([process.execPath, CLI, 'attach', id], { home: background.home });
  await expect.poll(clients, look).toEqual({ connections: 1, waits: 0, viewers: 1 });
  attached.kill('SIGSTOP');
  while (!(await core.api.terminal.submit.mutate({ id, text: 'seq 1 600000' })).ok) await sleep(20);
  const last = async () => (await core.api.block.page.query({ terminalId: id, limit: 1 })).blocks[0];
  await expect.poll(async () => (await last())?.status, look).toBe('completed');
  attached.kill('SIGKILL');
  await expect.poll(clients, look).toEqual(NOBODY);
  await attached.dispose();
});
