import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findAppFiles } from '../../src-main/hosts/appFiles.ts';
import { openPtyHost } from '../../src-main/hosts/openPtyHost.ts';
import type { HostFiles } from '../../src-main/ptyHost/client/launchHost.ts';
import { keyPath } from '../../src-main/ptyHost/protocol/messages.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';
import { ServedApp } from '../support/WebApp.ts';

/** Limit for a failing start, so that the person does not wait. */
const REFUSED_WITHIN_MS = 3_000;

const own: HostFiles = { node: process.execPath, program: join(findAppFiles().root, 'out/main/ptyHost.js') };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-fallback-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program that cannot run the host in place of Node. */
function fakeNode(text: string, mode: number): string {
  const path = join(newFolder(), 'node');
  writeFileSync(path, text, { mode });
  return path;
}

test.each<[string, (dataFolder: string) => Partial<HostFiles>, string]>([
  ['has no Node that may be run', () => ({ node: fakeNode('#!/bin/sh\n', 0o600) }), 'EACCES'],
  ['has no Node at all', () => ({ node: '/nowhere/node' }), 'ENOENT'],
  ['has a Node that is too old', () => ({ node: fakeNode('#!/bin/sh\nexit 9\n', 0o700) }), 'exit code 9'],
  ['has no program', () => ({ program: '/nowhere/ptyHost.js' }), 'exit code 1'],
  [
    'cannot write its key, as on a full disk',
    (dataFolder) => {
      mkdirSync(keyPath(dataFolder), { recursive: true });
      return {};
    },
    'could not be written',
  ],
  [
    'cannot have its socket',
    (dataFolder) => {
      mkdirSync(join(dataFolder, 'run/pty-host.sock'), { recursive: true });
      return {};
    },
    'exit code 1',
  ],
])('a core whose host %s says so at once, and goes on without', async (_, spoil, reason) => {
  const dataFolder = newFolder();
  const files = { ...own, ...spoil(dataFolder) };
  const startMs = Date.now();
  const opened = await openPtyHost({ dataFolder, env: { HANSARD_PTY_HOST: 'on' }, files });
  expect(opened).toEqual({
    ptyHost: undefined,
    obstacle: null,
    refusal: expect.objectContaining({ level: 'warning', text: expect.stringContaining(reason) }),
  });
  expect(Date.now() - startMs).toBeLessThan(REFUSED_WITHIN_MS);
});

test('Hansard works without its host, and one notice says that shells end with it', async () => {
  const app = new ServedApp({ env: { HANSARD_PTY_HOST: 'on' } });
  onTestFinished(() => app.dispose());
  mkdirSync(join(app.home, 'run/pty-host.sock'), { recursive: true, mode: 0o700 });
  await app.start();
  const { api, dispose } = connectTo(app.home);
  onTestFinished(() => dispose());
  const notices: string[] = [];
  const following = api.system.onNotice.subscribe(undefined, { onData: ({ text }) => notices.push(text) });
  onTestFinished(() => following.unsubscribe());
  const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  await soon(async () => (await api.terminal.submit.mutate({ id, text: 'echo hello' })).ok).toBe(true);
  const last = async () => (await api.block.page.query({ terminalId: id, limit: 5 })).blocks.at(-1);
  await soon(last).toMatchObject({ cmd: 'echo hello', status: 'completed', exitCode: 0 });
  expect((await api.system.status.query()).keepsShells).toBe(false);
  expect(notices).toEqual([expect.stringMatching(/^Shells end with Hansard this time: .*exit code 1/)]);
});
