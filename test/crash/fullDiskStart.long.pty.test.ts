import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Notice } from '../../src-main/contract/notice.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { SmallDisk } from '../support/SmallDisk.ts';
import { runCommand, TestCore } from '../support/TestCore.ts';
import { ServedApp } from '../support/WebApp.ts';

const disk = new SmallDisk(8 * 1024 * 1024);
afterAll(() => disk.dispose());

function newHome(name: string): string {
  const home = join(disk.path, name);
  mkdirSync(home, { mode: 0o700 });
  return home;
}

describe('a start on a full disk', () => {
  test('opens a terminal that works, with one notice; with room the record goes on and the gap is marked', async ({
    skip,
  }) => {
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    const home = newHome('new');
    disk.fill();
    const started = await TestCore.start({ dataFolder: home });
    try {
      const terminal = await started.open();
      const alive = await runCommand(terminal, 'echo alive');
      expect(alive).toMatchObject({ cmd: 'echo alive', exitCode: 0 });
      expect(started.core.notices.current).toEqual([expect.objectContaining({ key: `record/${terminal.id}` })]);
      await runCommand(terminal, 'seq 1 500000'); // more than the bytes kept in memory until there is room
      disk.free();
      await expect.poll(() => started.core.notices.current, { timeout: 20_000 }).toEqual([]);
      const after = await runCommand(terminal, 'echo after');
      const { raw, events } = new SessionFolder(home, terminal.id);
      const output = () => readFileSync(raw).subarray(after.rawStart, after.rawEnd ?? 0);
      await expect.poll(() => output().toString(), { timeout: 10_000 }).toBe('after\r\n');
      await expect.poll(() => readFileSync(events, 'utf8'), { timeout: 10_000 }).toContain('"type":"gap"');
      const tabs = () =>
        existsSync(join(home, 'workspace.json')) ? readFileSync(join(home, 'workspace.json'), 'utf8') : '';
      await expect.poll(tabs, { timeout: 10_000 }).toContain(terminal.id);
    } finally {
      disk.free();
      await started.stop();
    }
  });

  test('brings back the tabs that were open, with one notice each', async ({ skip }) => {
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    const home = newHome('tabs');
    const before = await TestCore.start({ dataFolder: home });
    const { id } = await before.core.open({ shell: 'bash', cwd: tmpdir(), cols: 120, rows: 40 });
    await runCommand(before.core.terminal(id), 'echo before');
    await before.stop();
    disk.fill();
    const started = await TestCore.start({ dataFolder: home });
    try {
      const terminal = started.core.terminal(id);
      expect(await runCommand(terminal, 'echo alive')).toMatchObject({ exitCode: 0 });
      const keys = started.core.notices.current.map(({ key }) => key);
      expect(keys).toEqual([`record/${id}`]);
    } finally {
      disk.free();
      await started.stop();
    }
  });

  test('names all terminals in one notice, which goes when the last is recorded again', async ({ skip }) => {
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    const started = await TestCore.start({ dataFolder: newHome('several') });
    const raised: Notice[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const notice of started.core.notices.follow(stop.signal)) raised.push(notice);
    })();
    const current = () => started.core.notices.current;
    try {
      const terminals = await Promise.all([started.open(), started.open(), started.open()]);
      expect(current()).toEqual([]);
      disk.fill();
      for (const terminal of terminals) await runCommand(terminal, 'echo alive');
      await expect.poll(current, { timeout: 10_000 }).toEqual([
        expect.objectContaining({
          key: 'record',
          level: 'error',
          terminalId: null,
          text: '3 terminals are not being recorded: the disk is full (ENOSPC)',
        }),
      ]);
      await started.core.close(terminals[0]?.id ?? '', true);
      await expect
        .poll(() => current().map(({ text }) => text))
        .toEqual(['2 terminals are not being recorded: the disk is full (ENOSPC)']);
      disk.free();
      await expect.poll(current, { timeout: 20_000 }).toEqual([]);
      const standing = new Set<string>();
      for (const { key, cleared } of raised) {
        if (cleared) standing.delete(key);
        else standing.add(key);
        expect(standing.size).toBeLessThanOrEqual(1);
      }
    } finally {
      stop.abort();
      await following;
      disk.free();
      await started.stop();
    }
  });

  test('serves its page at once, and is found by the command line when there is room', async ({ skip }) => {
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    const app = new ServedApp({ home: newHome('served') });
    disk.fill();
    try {
      await app.start();
      expect(app.url).toContain('http://127.0.0.1:');
      expect(readFileSync(disk.filler).length).toBeGreaterThan(0);
      disk.free();
      const address = join(app.home, 'core.json');
      await expect
        .poll(() => existsSync(address) && readFileSync(address, 'utf8'), { timeout: 20_000 })
        .toContain('pid');
    } finally {
      disk.free();
      await app.stop();
    }
  });
});
