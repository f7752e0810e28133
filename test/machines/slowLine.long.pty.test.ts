import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { withoutMachine } from '../../src-main/shared/machineIds.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { FarMachine } from './rig/FarMachine.ts';
import { Flood } from './rig/Flood.ts';
import { SSHD } from './rig/findProgram.ts';
import type { ProxyOptions } from './rig/startProxy.ts';
import { WindowScreen } from './rig/WindowScreen.ts';

const MBIT = 125_000;
const MB = 1024 ** 2;
/** Longer than a timer's delay on a busy machine; in a soak, much longer than every keep-alive. */
const SLEEP_MS = timesOf({ merge: 8_000, soak: 75_000 });

const started: { dispose(): unknown }[] = [];
function owned<T extends { dispose(): unknown }>(one: T): T {
  started.push(one);
  return one;
}
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

const connected = async (line: Omit<ProxyOptions, 'port'> = {}) => owned(await FarMachine.start(line));

/** Polls with a long time limit, because real programs are slow on a busy machine. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 90_000, interval: 40 });

/** The longest time from a key to its echo in the window, in ms, over `keys` keys. */
async function slowestEcho(machine: FarMachine, id: string, window: WindowScreen, keys: number): Promise<number> {
  let slowestMs = 0;
  for (let key = 0; key < keys; key += 1) {
    const atMs = performance.now();
    const echoed = new Promise<void>((resolve) => {
      window.onBytes = () => resolve();
    });
    await machine.near.api.terminal.write.mutate({ id, data: 'a' });
    await echoed;
    slowestMs = Math.max(slowestMs, performance.now() - atMs);
  }
  return slowestMs;
}

/** Resident bytes (proc(5)) of the two cores. */
function residentBytes(machine: FarMachine): number[] {
  return [machine.core.pid, machine.sshd.corePid].map(
    (pid) => Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4096,
  );
}

async function showsTheSame(machine: FarMachine, id: string, window: WindowScreen): Promise<void> {
  await soon(async () => window.rows.join('\n') === (await machine.rows(id)).far.join('\n')).toBe(true);
}

/** Process ids of our core and its ssh, which sleep with this machine. */
function sleepers({ core, client }: FarMachine): number[] {
  const all = execFileSync('pgrep', ['-f', '--', `-F ${client.home}`], { encoding: 'utf8' });
  return [core.pid, ...all.trim().split('\n').map(Number)];
}

describe.skipIf(SSHD === null)('over a line of 1 Mbit/s', () => {
  test('a flood and a window that hangs keep neither keys nor memory waiting, and nothing is missing', {
    timeout: 300_000,
  }, async () => {
    const machine = await connected({ bytesPerSecond: MBIT });
    const typed = await machine.open();
    await machine.begin(typed, 'cat');
    const typing = owned(new WindowScreen(machine.near.api, typed));
    const flood = await Flood.start(machine, 2);
    const window = owned(new WindowScreen(machine.near.api, flood.id));
    const before = residentBytes(machine);
    await soon(() => machine.line.bytesDown).toBeGreaterThan(3 * MBIT); // until the line is full
    const busyMs = await slowestEcho(machine, typed, typing, 10);
    window.isLooking = false;
    await sleep(4_000);
    const hiddenMs = await slowestEcho(machine, typed, typing, 10);
    const grown = residentBytes(machine).map((bytes, at) => (bytes - (before[at] ?? 0)) / MB);
    await window.look();
    const bytes = await flood.stop();
    await showsTheSame(machine, flood.id, window);
    const { states, bytes: shown } = window.counts;
    process.stdout.write(
      `1 Mbit/s: slowest echo beside a flood ${Math.round(busyMs)} ms, beside a window that hangs ${Math.round(hiddenMs)} ms; ` +
        `flood of ${bytes} bytes, of which ${shown} crossed the line, with ${states} states; the cores grew by ${grown.map(Math.round)} MB\n`,
    );
    expect(busyMs).toBeLessThan(3_000);
    expect(hiddenMs).toBeLessThan(3_000);
    expect(Math.max(...grown)).toBeLessThan(100);
  });
});

describe.skipIf(SSHD === null)('a line that comes back', () => {
  test('carries what is missing of long terminals, and nothing again', { timeout: 300_000 }, async () => {
    const machine = await connected();
    const windows: WindowScreen[] = [];
    const ids: string[] = [];
    for (let at = 0; at < 2; at += 1) {
      const id = await machine.open();
      windows.push(owned(new WindowScreen(machine.near.api, id)));
      await machine.begin(id, `base64 /dev/urandom | head -n 1500; echo ready; cat`);
      ids.push(id);
    }
    for (const window of windows) await soon(() => window.rows.findLast((row) => row !== '')).toBe('ready');
    await sleep(500);
    const before = machine.line.bytesDown;
    machine.line.goDown();
    await machine.is('lost');
    const [first = ''] = ids;
    await machine.far.terminal.write.mutate({ id: withoutMachine(first), data: 'typed meanwhile\r' });
    machine.line.repair();
    await machine.is('connected');
    await soon(() => windows[0]?.rows.filter((row) => row === 'typed meanwhile')).toHaveLength(2);
    for (const [at, id] of ids.entries()) await showsTheSame(machine, id, windows[at] as WindowScreen);
    const again = machine.line.bytesDown - before;
    process.stdout.write(`two terminals of 115 KB are back after ${again} bytes\n`);
    expect(windows.map(({ counts }) => [counts.states, counts.gaps])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(again).toBeLessThan(40_000);
  });

  test('after this machine slept is there at once, and has all that was printed meanwhile', {
    timeout: 120_000 + SLEEP_MS,
  }, async () => {
    const machine = await connected();
    const id = await machine.open();
    const window = owned(new WindowScreen(machine.near.api, id));
    await machine.begin(id, 'i=0; while sleep 0.1; do echo tick $((i+=1)); done');
    await soon(() => window.rows.some((row) => row.startsWith('tick 3'))).toBe(true);
    machine.line.freeze(); // the network at the start of the sleep
    const pids = sleepers(machine);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await sleep(SLEEP_MS);
    machine.line.reroute(); // another network, which does not know the connection
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    const awakeMs = performance.now();
    await machine.is('lost');
    const noticedMs = performance.now() - awakeMs;
    await machine.is('connected');
    const backMs = performance.now() - awakeMs;
    await machine.near.api.terminal.write.mutate({ id, data: '\x03' });
    await showsTheSame(machine, id, window);
    process.stdout.write(
      `a dead line was noticed ${Math.round(noticedMs)} ms after a sleep of ${SLEEP_MS} ms, and replaced after ${Math.round(backMs)} ms\n`,
    );
    expect([window.counts.states, window.counts.gaps]).toEqual([1, 0]);
    expect(noticedMs).toBeLessThan(8_000); // ssh's keep-alive takes 15 s
  });
});
