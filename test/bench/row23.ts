import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { CoreAddress } from '../../src-main/hosts/web/coreAddress.ts';
import { FarMachine } from '../machines/rig/FarMachine.ts';
import { SSHD } from '../machines/rig/findProgram.ts';
import { startProxy } from '../machines/rig/startProxy.ts';
import { WindowScreen } from '../machines/rig/WindowScreen.ts';
import { type Figure, median, quantile, type Row } from './Figure.ts';

/** Round trips in ms and numbers of keys; slow lines have fewer keys, because each takes longer and the spread does not grow. */
const LINES = [
  { lineMs: 0, keys: 200 },
  { lineMs: 20, keys: 100 },
  { lineMs: 200, keys: 100 },
];
/** Pause between rounds, as of a fast typist, in which late work of a key (acknowledgements, statistics) ends. */
const KEY_EVERY_MS = 20;
/** Wait for the work that new connections do at their start. */
const SETTLE_MS = 1_500;
/** Uncounted keys at the start, which run code that is not compiled yet. */
const WARM_KEYS = 30;
const TARGET_MS = 5;

/** One way from a key to its echo. */
interface Way {
  press(key: string): void;
  listen(heard: () => void): void;
  dispose(): unknown;
}
interface Echoes {
  readonly line: number[];
  readonly ssh: number[];
  readonly ours: number[];
}

/** Time from a key at our core to its echo from another machine, against the bare line and `ssh -t HOST cat`, key by key in turns. */
export const row23: Row = async (_options, say) => {
  if (SSHD === null) {
    say('sshd is not installed: skipped');
    return [];
  }
  const figures: Figure[] = [];
  for (const { lineMs, keys } of LINES) {
    say(`${keys} keys over a line of ${lineMs} ms`);
    figures.push(...figuresOf(lineMs, await measure(lineMs, keys)));
  }
  return figures;
};

async function measure(lineMs: number, keys: number): Promise<Echoes> {
  const line = { delayMs: lineMs / 2 };
  const machine = await FarMachine.start(line);
  const open: Way[] = [];
  const opened = async (way: Promise<Way>): Promise<Way> => {
    open.push(await way);
    return way;
  };
  try {
    const ways = [await opened(bareLine(line)), await opened(bareSsh(machine)), await opened(ourWay(machine))] as const;
    await sleep(SETTLE_MS);
    const times: [number, number, number][] = [];
    for (let n = -WARM_KEYS; n < keys; n += 1) {
      const key = n % 100 === 99 ? '\r' : 'a'; // the line discipline takes at most 4,096 characters a line
      const [atLine, atSsh, atOurs] = [await echo(ways[0], key), await echo(ways[1], key), await echo(ways[2], key)];
      if (n >= 0) times.push([atLine, atSsh, atOurs]);
      await sleep(KEY_EVERY_MS);
    }
    return { line: times.map(([ms]) => ms), ssh: times.map(([, ms]) => ms), ours: times.map(([, , ms]) => ms) };
  } finally {
    for (const way of open) await way.dispose();
    await machine.dispose();
  }
}

/** Compares each key of ours with the key of ssh just before it, so that the machine's load affects both. */
function figuresOf(lineMs: number, { line, ssh, ours }: Echoes): Figure[] {
  const added = ours.map((ms, at) => ms - (ssh[at] ?? 0));
  const spread = `${quantile(added, 0.1).toFixed(1)} to ${quantile(added, 0.9).toFixed(1)}`;
  return [0.5, 0.95].map((q) => {
    const isMiddle = q === 0.5;
    return {
      ...{ row: 23, unit: 'ms', runs: ours.length, value: quantile(ours, q), ratio: quantile(added, q) },
      work: `key to echo by ssh, line of ${lineMs} ms (bare: ${quantile(line, q).toFixed(1)}), ${isMiddle ? `median (80 % add ${spread})` : 'p95'}`,
      against: { name: 'ssh -t HOST cat', value: quantile(ssh, q) },
      target: isMiddle ? `≤ +${TARGET_MS} ms` : '',
      isMet: isMiddle ? median(added) <= TARGET_MS : null,
    };
  });
}

/** A TCP connection to an echo server. */
async function bareLine(line: { delayMs: number }): Promise<Way> {
  const server = createServer((socket) => socket.setNoDelay(true).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const proxy = await startProxy({ port: typeof address === 'object' && address ? address.port : 0, ...line });
  const socket = connect(proxy.port, '127.0.0.1').setNoDelay(true);
  return {
    press: (key) => socket.write(key),
    listen: (heard) => socket.once('data', heard),
    dispose: async () => {
      socket.destroy();
      await proxy.dispose();
      server.close();
    },
  };
}

/** The line discipline echoes there too. */
async function bareSsh({ sshd }: FarMachine): Promise<Way> {
  const child = sshd.start('echo ready; exec cat', { isTty: true });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return {
    press: (key) => child.stdin.write(key),
    listen: (heard) => child.stdout.once('data', heard),
    dispose: () => child.kill(),
  };
}

/** The remote line discipline echoes, without a program. Keys bypass the window's library, which delays each message by a timer. */
async function ourWay(machine: FarMachine): Promise<Way> {
  const id = await machine.open();
  const window = new WindowScreen(machine.near.api, id);
  await machine.begin(id, 'cat');
  const { socketPath, token } = CoreAddress.parse(
    JSON.parse(readFileSync(join(machine.core.home, 'core.json'), 'utf8')),
  );
  const keys = new WebSocket(`ws+unix://${socketPath}:/trpc`, { headers: { Authorization: `Bearer ${token}` } });
  await new Promise((resolve) => keys.once('open', resolve));
  return {
    press: (data) => {
      const params = { path: 'terminal.write', input: { id, data } };
      keys.send(JSON.stringify({ id: randomUUID(), method: 'mutation', params }));
    },
    listen: (heard) => {
      window.onBytes = heard;
    },
    dispose: () => {
      keys.close();
      window.dispose();
    },
  };
}

async function echo(way: Way, key: string): Promise<number> {
  const echoed = new Promise<void>((resolve) => way.listen(resolve));
  const atMs = performance.now();
  way.press(key);
  await echoed;
  return performance.now() - atMs;
}
