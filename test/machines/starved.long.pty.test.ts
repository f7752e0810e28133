import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { FarMachine } from './rig/FarMachine.ts';
import { SSHD } from './rig/findProgram.ts';

/** Longer than every time limit of a line; the core's own is a minute. */
const STARVED_MS = 25_000;
/** ssh gives a silent line up after 15 s; the rest is for a busy machine. */
const DEAD_MS = 25_000;

const started: FarMachine[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.dispose();
});

async function connected(): Promise<FarMachine> {
  const machine = await FarMachine.start();
  started.push(machine);
  return machine;
}

/** Polls with a long time limit, because real programs are slow on a busy machine. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 60_000, interval: 40 });

describe.skipIf(SSHD === null)('a line whose other end does not answer', () => {
  test('is slow in the window and in the list of hosts while the machine is starved, and keys typed meanwhile arrive once', {
    timeout: 240_000,
  }, async () => {
    const machine = await connected();
    const id = await machine.open();
    await machine.begin(id, 'stty -echo; cat > typed');
    const { corePid } = machine.sshd;
    process.kill(corePid, 'SIGSTOP');
    let taken: Promise<unknown>;
    try {
      await soon(() => machine.isSlow).toBe(true);
      taken = machine.near.api.terminal.write.mutate({ id, data: 'typed while it was starved\r' });
      await sleep(STARVED_MS);
      expect([machine.state, machine.isSlow, machine.losses]).toEqual(['connected', true, 0]);
      const { stdout } = await machine.core.run('hosts', '--json');
      expect(JSON.parse(stdout).hosts).toMatchObject([{ state: 'connected', isSlow: true }]);
      expect((await machine.core.run('hosts')).stdout).toMatch(/connected +slow /);
    } finally {
      process.kill(corePid, 'SIGCONT');
    }
    await soon(() => machine.isSlow).toBe(false);
    await taken;
    const typed = () => readFileSync(join(machine.sshd.home, 'typed'), 'utf8');
    await soon(typed).toBe('typed while it was starved\n');
    expect(machine.losses).toBe(0);
  });

  test('is lost when the line is dead', { timeout: 120_000 }, async () => {
    const machine = await connected();
    machine.line.freeze();
    await expect.poll(() => machine.state, { timeout: DEAD_MS, interval: 40 }).toBe('lost');
  });
});
