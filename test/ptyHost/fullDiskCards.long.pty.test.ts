import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { appOnSmallDisk } from '../support/appOnSmallDisk.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';

/** Without the host the core writes the record itself. */
test.for(['on', 'off'])(
  'with the PTY host %s, a command that begins and ends on a full disk is never shown as empty, and is whole when there is room',
  async (host, { skip }) => {
    const { app, disk } = appOnSmallDisk(host);
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    await app.start();
    const { home } = app;
    const { api, dispose } = connectTo(home);
    onTestFinished(dispose);
    const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
    const changed: string[] = [];
    api.block.onChange.subscribe(
      { terminalId: id },
      { onData: (change) => change.type === 'change' && changed.push(change.block.id) },
    );
    const submit = (text: string) => soon(async () => (await api.terminal.submit.mutate({ id, text })).ok).toBe(true);
    const blockOf = async (cmd: string) =>
      (await api.block.page.query({ terminalId: id, limit: 9 })).blocks.find((block) => block.cmd === cmd);
    const ended = async (cmd: string) => {
      await submit(cmd);
      await soon(async () => (await blockOf(cmd))?.status).toBe('completed');
      return { terminalId: id, blockId: (await blockOf(cmd))?.id ?? '' };
    };
    const lines = async (ref: { terminalId: string; blockId: string }) =>
      (await api.block.lines.query({ ...ref, from: 0, count: 9 })).lines.map(({ spans }) =>
        spans.map(({ text }) => text).join(''),
      );
    const text = async (ref: { terminalId: string; blockId: string }) =>
      (await api.block.text.query({ ...ref, what: 'output' })).text;

    await ended('echo before');
    disk.fill();
    await ended('seq 2000'); // more than the last page of the file has room for
    const alive = await ended('echo alive');
    const red = await ended("printf '\\033[5Gred\\033[1Gis\\n'");
    for (const ref of [alive, red]) {
      await expect(lines(ref)).rejects.toThrow(/The disk has refused it so far/);
      await soon(() => text(ref).catch(String)).toContain('The disk has refused it so far');
    }
    disk.free();
    await soon(() => lines(alive).catch(String)).toEqual(['alive']);
    await soon(() => text(alive).catch(String)).toBe('alive\n');
    await soon(() => lines(red).catch(String)).toEqual(['is  red']);
    await soon(() => text(red).catch(String)).toBe('is  red\n');
    await soon(() => changed).toContain(alive.blockId);
    const folder = new SessionFolder(home, id);
    expect(readFileSync(folder.out(alive.blockId), 'utf8')).toBe('alive\n');
  },
);

test('the next core has the cards of commands that ended on a full disk', async ({ skip }) => {
  const { app, disk } = appOnSmallDisk('on');
  if (!disk.isMounted) skip('no tmpfs can be mounted here');
  await app.start();
  const core = connectTo(app.home);
  const { id } = await core.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const cards = async ({ api }: CoreConnection) => {
    const { blocks } = await api.block.page.query({ terminalId: id, limit: 20 });
    return blocks.map(({ cmd, status }) => `${cmd}: ${status}`);
  };
  const done = Array.from({ length: 9 }, (_, n) => `echo ${n}: completed`);
  for (let n = 0; n < done.length; n += 1) {
    if (n === 1) disk.fill();
    await soon(async () => (await core.api.terminal.submit.mutate({ id, text: `echo ${n}` })).ok).toBe(true);
    await soon(() => cards(core)).toEqual(done.slice(0, n + 1));
  }
  core.dispose();
  await app.stop('SIGKILL');
  disk.free();
  await app.start();
  const next = connectTo(app.home);
  onTestFinished(next.dispose);
  await soon(() => cards(next)).toEqual(done);
  const { blocks } = await next.api.block.page.query({ terminalId: id, limit: 20 });
  const blockId = blocks.at(-1)?.id ?? '';
  const text = () => next.api.block.text.query({ terminalId: id, blockId, what: 'output' });
  await soon(async () => (await text()).text).toBe('8\n');
});
