import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { Notice } from '../../src-main/contract/notice.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { connectTo } from '../support/coreClient.ts';
import { hostPid } from '../support/hostProcess.ts';
import { SmallDisk } from '../support/SmallDisk.ts';
import { ServedApp } from '../support/WebApp.ts';

const disk = new SmallDisk(4 * 1024 * 1024);
const home = disk.path;
const app = new ServedApp({ home });

afterAll(async () => {
  await app.stop();
  await vi.waitFor(() => expect(hostPid(home)).toBe(null), 20_000); // the host ends after its core and uses the disk until then
  disk.dispose();
});

/** Runs one command and resolves with its block as the core reports it. */
function runIn(api: CoreConnection['api'], terminalId: string, text: string): Promise<Block> {
  return new Promise((resolve, reject) => {
    const following = api.block.onChange.subscribe(
      { terminalId },
      {
        onStarted: () => void submit(),
        onData: (change) => {
          if (change.type !== 'close') return;
          following.unsubscribe();
          resolve(change.block);
        },
        onError: reject,
      },
    );
    const submit = async (): Promise<void> => {
      const verdict = await api.terminal.submit.mutate({ id: terminalId, text });
      if (!verdict.ok) setTimeout(() => void submit(), 20); // the shell is not at its prompt yet
    };
  });
}

test('a full disk: one warning, the terminal works on, and when there is room the record goes on with exact offsets', async ({
  skip,
}) => {
  if (!disk.isMounted) skip('no tmpfs can be mounted here');
  await app.start();
  const { api, dispose } = connectTo(home);
  const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const told: Notice[] = [];
  api.system.onNotice.subscribe(undefined, { onData: (notice) => told.push(notice) });
  const ofRecord = (): Notice[] => told.filter(({ key }) => key === `record/${id}`);

  await runIn(api, id, 'echo before');
  writeFileSync(disk.filler, Buffer.alloc(2_500_000));
  const flood = await runIn(api, id, 'seq 1 500000');
  expect(flood).toMatchObject({ exitCode: 0, outputBytes: 3_388_895 + 500_000 });
  await expect.poll(() => ofRecord().length).toBeGreaterThan(0);

  const alive = await runIn(api, id, 'echo alive on a full disk');
  expect(alive).toMatchObject({ cmd: 'echo alive on a full disk', exitCode: 0 });
  expect(ofRecord().filter(({ cleared }) => !cleared).length, 'one warning').toBe(1);

  disk.free();
  await expect.poll(() => ofRecord().at(-1)?.cleared, { timeout: 20_000 }).toBe(true);
  const after = await runIn(api, id, 'echo after');
  await expect
    .poll(() => statSync(new SessionFolder(home, id).raw).size, { timeout: 5000 })
    .toBeGreaterThanOrEqual(after.rawEnd ?? 0);
  const folder = new SessionFolder(home, id);
  expect(
    readFileSync(folder.raw)
      .subarray(after.rawStart, after.rawEnd ?? 0)
      .toString(),
  ).toBe('after\r\n');
  const gaps = readFileSync(folder.events, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"gap"'))
    .map((line) => JSON.parse(line));
  expect(gaps.length).toBeGreaterThan(0);
  for (const gap of gaps) expect(gap.fromOffset).toBeLessThan(gap.toOffset);
  dispose();
}, 120_000);
