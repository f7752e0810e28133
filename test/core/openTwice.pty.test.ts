import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkspaceStore } from '../../src-main/core/WorkspaceStore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { runCommand, TestCore } from '../support/TestCore.ts';

let core: TestCore;
beforeAll(async () => {
  core = await TestCore.start();
});
afterAll(() => core.dispose());

/** Number of this process's descriptors for a file. */
function openFds(path: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false; // closed during the check
    }
  }).length;
}

function shellsStarted({ events }: SessionFolder): string[] {
  return readFileSync(events, 'utf8')
    .split('\n')
    .map((line) => /"type":"(started|restored)"/.exec(line)?.[1] ?? '')
    .filter(Boolean);
}

test.runIf(process.platform === 'linux')('reopens a closed terminal once when asked twice', async () => {
  const { id } = await core.open();
  const folder = new SessionFolder(core.dataFolder, id);
  await core.core.close(id, true);
  const views = await Promise.all([1, 2, 3].map(() => core.core.openRecorded(id)));
  expect(views.map((view) => view.id)).toEqual([id, id, id]);
  await runCommand(core.core.terminal(id), 'echo here');
  expect([shellsStarted(folder), openFds(folder.raw)]).toEqual([['started', 'restored'], 1]);
  await core.core.close(id, true);
});

test.runIf(process.platform === 'linux')('reopens a terminal that is being closed when its files are', async () => {
  const { id } = await core.open();
  const folder = new SessionFolder(core.dataFolder, id);
  const closing = core.core.close(id, true);
  await core.core.openRecorded(id);
  expect(openFds(folder.raw)).toBe(1);
  await closing;
  await runCommand(core.core.terminal(id), 'echo here');
  expect([shellsStarted(folder), openFds(folder.raw), core.core.workspace.value.order]).toEqual([
    ['started', 'restored'],
    1,
    [id],
  ]);
});

test.runIf(process.platform === 'linux')('stops when the terminals that were being closed are closed', async () => {
  const own = await TestCore.start();
  const { id } = await own.open();
  const { raw } = new SessionFolder(own.dataFolder, id);
  const closing = own.core.close(id, true);
  await own.core.stop();
  expect(openFds(raw)).toBe(0);
  await closing;
  await own.dispose();
});

test('opens the next tab after a refused write of the workspace, and writes it later', async () => {
  const folder = suiteFolder('workspace');
  const store = await WorkspaceStore.open(folder);
  const path = join(folder, 'workspace.json');
  mkdirSync(join(path, 'in the way'), { recursive: true });
  await store.opened('t1');
  rmdirSync(join(path, 'in the way'));
  rmSync(path, { recursive: true });
  const order = async () => (await WorkspaceStore.open(folder)).value.order;
  await expect.poll(order).toEqual(['t1']);
  await store.opened('t2');
  expect(await order()).toEqual(['t1', 't2']);
});
