import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { processStart } from '../../src-main/store/files/processIdentity.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { Dice } from '../agents/cases/Dice.ts';
import { runIn } from '../mcp/runIn.ts';
import { ConnectedCore } from '../support/ConnectedCore.ts';
import { fuzzSeed, timesOf } from '../support/fuzzRuns.ts';
import { hostPid, hostShells, killHost } from '../support/hostProcess.ts';
import { soon } from '../support/soon.ts';

const ROUNDS = timesOf({ merge: 5, soak: 40 });
const SEED = fuzzSeed();
/** Much more than the messages of a host that its socket holds. */
const BEHIND_BYTES = 20_000_000;

let app: ConnectedCore;
beforeEach(async () => {
  app = new ConnectedCore();
  onTestFinished(() => app.dispose());
  await app.start();
});

const rawSize = (id: string): number => statSync(new SessionFolder(app.dataFolder, id).raw).size;

/** Expects the flood's block to have all `size` bytes that were on disk, and the terminal's next shell to go on behind them. */
async function expectInterrupted(id: string, size: number): Promise<void> {
  const interrupted = { status: 'interrupted', exitCode: null, rawEnd: size };
  await expect.poll(() => app.lastBlock(id), { timeout: 60_000 }).toMatchObject(interrupted);
  const view = async () => (await app.api.system.status.query()).terminals.find((one) => one.id === id);
  if ((await view())?.state === 'exited') await app.api.terminal.restart.mutate({ id });
  const block = await runIn(app.api, id, 'echo after it');
  expect(block.rawStart).toBeGreaterThanOrEqual(size);
  const raw = readFileSync(new SessionFolder(app.dataFolder, id).raw).subarray(block.rawStart, block.rawEnd ?? 0);
  expect(raw.toString()).toBe('after it\r\n');
}

test('a host that is killed in a flood leaves all that it read in the record, also what the core has not read yet', async () => {
  const id = await app.open();
  await app.begin(id, 'yes 0123456789');
  process.kill(app.core.pid, 'SIGSTOP');
  const before = rawSize(id);
  await expect.poll(() => rawSize(id), { timeout: 60_000 }).toBeGreaterThan(before + BEHIND_BYTES);
  const host = hostPid(app.dataFolder) ?? 0;
  killHost(app.dataFolder);
  await soon(() => processStart(host)).toBeNull();
  const size = rawSize(id);
  process.kill(app.core.pid, 'SIGCONT');
  await expectInterrupted(id, size);
});

test('a core and a host that are killed at once in a flood leave all that was read in the record', async () => {
  const id = await app.open();
  await app.begin(id, 'yes 0123456789');
  const before = rawSize(id);
  await expect.poll(() => rawSize(id), { timeout: 60_000 }).toBeGreaterThan(before + 1_000_000);
  const host = hostPid(app.dataFolder) ?? 0;
  await app.core.kill();
  await soon(() => processStart(host)).toBeNull();
  const size = rawSize(id);
  await app.start();
  await expectInterrupted(id, size);
});

test('a shell that is killed ends with its block, and its terminal takes another', async () => {
  const id = await app.open();
  await app.begin(id, 'yes 0123456789');
  const [shell = 0] = hostShells(app.dataFolder).keys();
  process.kill(shell, 'SIGKILL');
  await soon(() => app.lastBlock(id)).toMatchObject({ status: 'completed', exitCode: null });
  await app.api.terminal.restart.mutate({ id });
  expect(await runIn(app.api, id, 'echo after it')).toMatchObject({ exitCode: 0 });
});

test(`a core that is killed ${ROUNDS} times while terminals open and close loses no terminal and no shell (seed ${SEED})`, async () => {
  const dice = new Dice(SEED);
  const opened = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const closing = [...opened].slice(0, 1);
    for (const id of closing) void app.api.terminal.close.mutate({ id, force: true }).catch(() => undefined); // the core is killed
    for (let n = 0; n < 3; n += 1)
      void app.open().then(
        (id) => opened.add(id),
        () => undefined, // the same
      );
    await sleep(dice.between(0, 400));
    await app.core.killCore();
    await app.start();
    for (const id of closing) opened.delete(id);
    const { terminals } = await app.api.system.status.query();
    const running = terminals.filter(({ state }) => state === 'live').map(({ id }) => id);
    expect([...opened].filter((id) => !running.includes(id))).toEqual([]);
    await soon(async () => {
      const status = await app.api.system.status.query();
      return status.terminals.filter(({ state }) => state === 'live').length - hostShells(app.dataFolder).size;
    }).toBe(0);
  }
  for (const id of opened) expect(await runIn(app.api, id, 'echo alive')).toMatchObject({ exitCode: 0 });
});
