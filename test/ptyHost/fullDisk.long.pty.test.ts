import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { appOnSmallDisk } from '../support/appOnSmallDisk.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';

test('a core that is killed on a full disk: the next one shows and keeps what the disk refused', async ({ skip }) => {
  const { app, disk } = appOnSmallDisk('on');
  const { home } = app;
  let link: ReturnType<typeof connectTo> | null = null;
  onTestFinished(() => link?.dispose());
  if (!disk.isMounted) skip('no tmpfs can be mounted here');
  const connect = () => {
    link?.dispose();
    link = connectTo(home);
    return link.api;
  };
  await app.start();
  let api = connect();
  const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const text = 'read a; for n in $(seq 2000); do echo refused $n; done; read b; echo the end';
  await soon(async () => (await api.terminal.submit.mutate({ id, text })).ok).toBe(true);
  const block = async () => (await api.block.page.query({ terminalId: id, limit: 1 })).blocks.at(-1);
  await soon(async () => (await block())?.status).toBe('running');
  const rows = async (): Promise<string[]> => {
    const reading = await api.screen.read.query({ terminalId: id });
    return reading.full
      ? reading.frame.rows.map((row) => row.text.trimEnd()).filter((row) => row.startsWith('refused'))
      : [];
  };
  /** More than the last page of the file has room for. */
  const refused = Array.from({ length: 2000 }, (_, n) => `refused ${n + 1}`);
  const shown = refused.slice(-22);

  disk.fill();
  await api.terminal.write.mutate({ id, data: 'x\r' });
  await soon(async () => (await rows()).slice(-22)).toEqual(shown);
  await app.stop('SIGKILL');
  await app.start();
  api = connect();
  await soon(async () => (await rows()).slice(-22)).toEqual(shown);
  disk.free();
  await api.terminal.write.mutate({ id, data: 'y\r' });
  await soon(block).toMatchObject({ status: 'completed', exitCode: 0 });
  const { id: blockId = '' } = (await block()) ?? {};
  const folder = new SessionFolder(home, id);
  await soon(() => readFileSync(folder.raw, 'utf8')).toContain(`x\r\n${refused.join('\r\n')}\r\ny\r\nthe end\r\n`);
  expect(readFileSync(folder.out(blockId), 'utf8')).toBe(`x\n${refused.join('\n')}\ny\nthe end\n`);
});
