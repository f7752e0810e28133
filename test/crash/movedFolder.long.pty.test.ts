import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Notice } from '../../src-main/contract/notice.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { runCli } from '../cli/runCli.ts';
import { connectTo } from '../support/coreClient.ts';
import { ServedApp } from '../support/WebApp.ts';

const root = mkdtempSync(join(tmpdir(), 'hansard-moved-'));
const oldPlace = join(root, 'a');
const newPlace = join(root, 'b');
const apps: ServedApp[] = [];

afterAll(async () => {
  for (const app of apps) await app.stop();
  rmSync(root, { recursive: true, force: true });
});

function newApp(home: string): ServedApp {
  const app = new ServedApp({ home });
  apps.push(app);
  return app;
}

test('a core whose folder is moved says so, follows its folder, and leaves the old path to another core', async () => {
  mkdirSync(oldPlace, { mode: 0o700 });
  const first = await newApp(oldPlace).start();
  const own = connectTo(oldPlace);
  const { id } = await own.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const told: Notice[] = [];
  own.api.system.onNotice.subscribe(undefined, { onData: (notice) => told.push(notice) });

  renameSync(oldPlace, newPlace);
  await expect.poll(() => told.map(({ key }) => key), { timeout: 20_000 }).toContain('folder-moved');
  expect(readFileSync(join(newPlace, 'core.log'), 'utf8')).toContain('"event":"folder_moved"');

  const second = await newApp(oldPlace).start();
  expect(second.pid).not.toBe(first.pid);
  const other = connectTo(oldPlace);
  const theirs = await other.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const tabsOf = (place: string) => JSON.parse(readFileSync(join(place, 'workspace.json'), 'utf8')).order;
  expect(tabsOf(oldPlace)).toEqual([theirs.id]);

  // The first core keeps recording its open terminal in the moved folder; a new terminal touches none of the second core's files.
  const rawOf = () => readFileSync(new SessionFolder(newPlace, id).raw, 'utf8');
  const submit = () => own.api.terminal.submit.mutate({ id, text: 'echo still recorded' });
  await expect.poll(async () => (await submit()).ok, { timeout: 20_000 }).toBe(true);
  await expect.poll(rawOf, { timeout: 20_000 }).toContain('still recorded\r\n');
  await own.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 }).catch(() => undefined);
  expect([tabsOf(oldPlace), SessionFolder.list(oldPlace)]).toEqual([[theirs.id], [theirs.id]]);

  // The command line finds the first core at the new path, and no second core starts there.
  const listed = await runCli(['ls', '--json'], { home: newPlace });
  expect(JSON.parse(listed.stdout).core).toEqual({ pid: first.pid });
  const refused = await runCli(['serve', '--no-open'], { home: newPlace });
  expect([refused.code, refused.stdout + refused.stderr]).toEqual([0, expect.stringContaining('already running')]);

  // When the first core stops, the second keeps its files and its socket.
  own.dispose();
  await first.stop();
  const there = await runCli(['ls', '--json'], { home: oldPlace });
  expect(JSON.parse(there.stdout).core).toEqual({ pid: second.pid });
  expect(statSync(join(oldPlace, 'run', 'core.sock')).isSocket()).toBe(true);
  other.dispose();
}, 120_000);
