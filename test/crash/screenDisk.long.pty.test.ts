import { afterAll, expect, test } from 'vitest';
import type { Notice } from '../../src-main/contract/notice.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { connectTo } from '../support/coreClient.ts';
import { SmallDisk } from '../support/SmallDisk.ts';
import { deltasOf, shownBy, snapshotOf, statesOf, toldBy } from '../support/screenFiles.ts';
import { ServedApp } from '../support/WebApp.ts';

const disk = new SmallDisk(4 * 1024 * 1024);
const home = disk.path;
const app = new ServedApp({ home });

afterAll(async () => {
  await app.stop();
  disk.dispose();
});

test('a full disk: the screen lives on and is told once; with room again its record goes on with a keyframe', async ({
  skip,
}) => {
  if (!disk.isMounted) skip('no tmpfs can be mounted here');
  await app.start();
  const { api, dispose } = connectTo(home);
  const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const folder = new SessionFolder(home, id);
  const told: Notice[] = [];
  api.system.onNotice.subscribe(undefined, { onData: (notice) => told.push(notice) });
  const ofRecord = (): Notice[] => told.filter(({ key }) => key === `record/${id}`);
  const live = async () => {
    const reading = await api.screen.read.query({ terminalId: id, scrollback: 0 });
    return { seq: reading.seq, source: reading.source };
  };

  const spinner = 'n=0; while :; do n=$((n+1)); printf "\\rtick %s" $n; sleep 0.05; done';
  await expect.poll(async () => (await api.terminal.submit.mutate({ id, text: spinner })).ok).toBe(true);
  await expect.poll(() => statesOf(deltasOf(folder)).length).toBeGreaterThan(5);

  disk.fill();
  await expect.poll(() => ofRecord().length, { timeout: 10_000 }).toBeGreaterThan(0);
  // The last page of the file may still have room for some deltas.
  const behind = async (): Promise<number> => (await live()).seq - (deltasOf(folder).at(-1)?.seq ?? 0);
  await expect.poll(behind, { timeout: 20_000 }).toBeGreaterThan(20);
  expect(await live()).toMatchObject({ source: 'live' });
  expect(new Set(ofRecord().map(({ text }) => text)).size, 'one warning').toBe(1);

  disk.free();
  await expect.poll(() => ofRecord().at(-1)?.cleared, { timeout: 20_000 }).toBe(true);
  const before = statesOf(deltasOf(folder)).length;
  await expect.poll(() => statesOf(deltasOf(folder)).length, { timeout: 10_000 }).toBeGreaterThan(before + 10);
  await api.terminal.close.mutate({ id, force: true });
  dispose();
  await app.stop();
  const deltas = deltasOf(folder);
  expect(deltas.filter(({ keyframe }) => keyframe).length).toBeGreaterThan(1);
  expect(toldBy(statesOf(deltas).at(-1))).toEqual(shownBy(snapshotOf(folder)));
}, 90_000);
