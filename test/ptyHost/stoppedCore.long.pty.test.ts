import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { hostPid } from '../support/hostProcess.ts';
import { soon } from '../support/soon.ts';

const FLOOD_BYTES = 20_000_000;
/** Allowed growth of the host's memory by a flood with a stopped core; the host keeps no output for it. */
const MAX_MORE_MB = 12;

function rssMb(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)?.[1] ?? 0) / 1024;
}

/** A core with one terminal, both gone with the test. */
async function startCore() {
  const core = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
  onTestFinished(async () => {
    await core.run('serve', 'stop', '--force');
    await core.dispose();
  });
  await core.start();
  const { api, dispose } = connectTo(core.home);
  onTestFinished(() => dispose());
  const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  return {
    home: core.home,
    submit: (text: string) => soon(async () => (await api.terminal.submit.mutate({ id, text })).ok).toBe(true),
    rawSize: () => statSync(new SessionFolder(core.home, id).raw).size,
    last: async () => (await api.block.page.query({ terminalId: id, limit: 5 })).blocks.at(-1),
    stop: () => void process.kill(core.pid, 'SIGSTOP'),
    wake: () => void process.kill(core.pid, 'SIGCONT'),
    kill: () => core.killCore(),
    start: () => core.start(),
  };
}

test('a stopped core holds no program up, costs the PTY host no memory, and has everything once it runs again', async () => {
  const { home, submit, rawSize, last, stop, wake } = await startCore();
  const done = (n: number): string => join(home, `done-${n}`);
  const go = join(home, 'go');
  const flood = `yes 0123456789abcdefghijklmnopqrstuvwxyz | head -c ${FLOOD_BYTES}`;
  await submit(
    `${flood}; touch ${done(1)}; until [ -e ${go} ]; do sleep 0.05; done; ${flood}; echo; echo the end; touch ${done(2)}`,
  );
  await expect.poll(() => existsSync(done(1)), { timeout: 60_000 }).toBe(true);
  const host = hostPid(home) ?? 0;
  const before = rssMb(host);
  stop();
  onTestFinished(wake);
  writeFileSync(go, '');
  await expect.poll(() => existsSync(done(2)), { timeout: 60_000 }).toBe(true);
  const after = rssMb(host);
  process.stdout.write(`the PTY host has ${before.toFixed(1)} MB, and ${after.toFixed(1)} MB behind a stopped core\n`);
  expect(after - before).toBeLessThan(MAX_MORE_MB);
  wake();
  await expect.poll(last, { timeout: 90_000 }).toMatchObject({ status: 'completed', exitCode: 0 });
  const block = await last();
  expect((block?.rawEnd ?? 0) - (block?.rawStart ?? 0)).toBeGreaterThan(2 * FLOOD_BYTES);
  expect(rawSize()).toBeGreaterThan(2 * FLOOD_BYTES);
});

test('a core that is stopped while it pauses a program does not hold it up either', async () => {
  const { home, submit, rawSize, last, stop, wake } = await startCore();
  onTestFinished(wake);
  const [go, done] = [join(home, 'go'), join(home, 'done')];
  const bytes = 4 * FLOOD_BYTES;
  await submit(`until [ -e ${go} ]; do sleep 0.05; done; yes 0123456789 | head -c ${bytes}; touch ${done}`);
  await expect.poll(last).toMatchObject({ status: 'running' });
  stop(); // the core is behind once it wakes, and pauses the program at once
  writeFileSync(go, '');
  await expect.poll(rawSize, { interval: 5, timeout: 60_000 }).toBeGreaterThan(FLOOD_BYTES / 2);
  wake();
  let sizes = [-1];
  while (new Set(sizes).size > 1 || sizes.length < 10) {
    sizes = [...sizes.slice(-9), rawSize()];
    await sleep(5);
  }
  stop();
  expect(rawSize()).toBeLessThan(bytes);
  await expect.poll(() => existsSync(done), { timeout: 60_000 }).toBe(true);
  wake();
  await expect.poll(last, { timeout: 90_000 }).toMatchObject({ status: 'completed', exitCode: 0 });
});

test('a query that a stopped core has not answered when it is killed gets its answer from the next core, and no query gets two', async () => {
  const { home, submit, rawSize, stop, kill, start } = await startCore();
  const at = (name: string): string => join(home, name);
  const ask = (name: string, row: number): string => `printf '\\033[${row}H\\033[6n'; head -c 6 > ${at(name)}`;
  const until = (name: string): string => `until [ -e ${at(name)} ]; do sleep 0.05; done`;
  const lines = ['stty raw -echo', ask('first', 1), `touch ${at('ready')}`, until('go'), ask('second', 2)];
  writeFileSync(
    at('asks.sh'),
    [...lines, ask('third', 3), `timeout 1 cat > ${at('rest')}`, `touch ${at('done')}`, ''].join('\n'),
  );
  await submit(`sh ${at('asks.sh')}`);
  await soon(() => existsSync(at('ready'))).toBe(true);
  const size = rawSize();
  stop();
  writeFileSync(at('go'), '');
  await soon(rawSize).toBeGreaterThan(size);
  await kill();
  await start();
  await soon(() => existsSync(at('done'))).toBe(true);
  const typed = ['first', 'second', 'third', 'rest'].map((name) => readFileSync(at(name), 'latin1'));
  expect(typed).toEqual(['\x1b[1;1R', '\x1b[2;1R', '\x1b[3;1R', '']);
});
