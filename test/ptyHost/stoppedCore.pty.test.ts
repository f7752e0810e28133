import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { hostPid } from '../support/hostProcess.ts';
import { soon } from '../support/soon.ts';

const FLOOD_BYTES = 20_000_000;
/** What a flood may take beyond the one before it, which a core read: none of it is kept for the core. */
const MAX_MORE_MB = 12;

function rssMb(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)?.[1] ?? 0) / 1024;
}

test('a stopped core holds no program up, costs the PTY host no memory, and has everything once it runs again', async () => {
  const core = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
  onTestFinished(async () => {
    await core.run('serve', 'stop', '--force');
    await core.dispose();
  });
  await core.start();
  const { api, dispose } = connectTo(core.home);
  onTestFinished(() => dispose());
  const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const done = (n: number): string => join(core.home, `done-${n}`);
  const go = join(core.home, 'go');
  const flood = `yes 0123456789abcdefghijklmnopqrstuvwxyz | head -c ${FLOOD_BYTES}`;
  const text = `${flood}; touch ${done(1)}; until [ -e ${go} ]; do sleep 0.05; done; ${flood}; echo; echo the end; touch ${done(2)}`;
  await soon(async () => (await api.terminal.submit.mutate({ id, text })).ok).toBe(true);
  await expect.poll(() => existsSync(done(1)), { timeout: 60_000 }).toBe(true);
  const host = hostPid(core.home) ?? 0;
  const before = rssMb(host);
  const { pid } = core;
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  writeFileSync(go, '');
  await expect.poll(() => existsSync(done(2)), { timeout: 60_000 }).toBe(true);
  const after = rssMb(host);
  process.stdout.write(`the PTY host has ${before.toFixed(1)} MB, and ${after.toFixed(1)} MB behind a stopped core\n`);
  expect(after - before).toBeLessThan(MAX_MORE_MB);
  process.kill(pid, 'SIGCONT');
  const last = async () => (await api.block.page.query({ terminalId: id, limit: 5 })).blocks.at(-1);
  await expect.poll(last, { timeout: 90_000 }).toMatchObject({ status: 'completed', exitCode: 0 });
  const block = await last();
  expect((block?.rawEnd ?? 0) - (block?.rawStart ?? 0)).toBeGreaterThan(2 * FLOOD_BYTES);
  expect(statSync(new SessionFolder(core.home, id).raw).size).toBeGreaterThan(2 * FLOOD_BYTES);
});
