import { spawn } from 'node-pty';
import type { StreamItem } from '../../src-main/contract/terminal.ts';
import { type Figure, median, quantile, type Row } from './Figure.ts';
import { SIZE } from './peers.ts';
import { ServedCore } from './ServedCore.ts';

/** Keys per measurement; enough that a single outlier does not set the 99th percentile. */
const KEYS = 500;
/** The repeat rate of a held key. Without a pause, the echo of one key would wait for that of another. */
const KEY_EVERY_MS = 20;
const FLOOD_SETTLE_MS = 1_000;

/** Time from a key to its echo over the WebSocket, idle and while another terminal floods. */
export const row3: Row = async (_options, say) => {
  say(`${KEYS} keys through a bare node-pty`);
  const bare = await bareEchoes();
  const served = await ServedCore.start();
  try {
    const id = await served.open();
    const other = await served.open();
    say(`${KEYS} keys through the web front, idle`);
    const idle = await echoes(served, id);
    const flooded = await served.api.terminal.submit.mutate({ id: other, text: 'yes' });
    if (!flooded.ok) throw new Error(`the flood was refused: ${flooded.reason}`);
    await pause(FLOOD_SETTLE_MS);
    say(`${KEYS} keys through the web front, while another terminal floods`);
    const beside = await echoes(served, id);
    await served.api.terminal.write.mutate({ id: other, data: '\x03' });
    return figures(bare, idle, beside);
  } finally {
    await served.dispose();
  }
};

function figures(bare: number[], idle: number[], beside: number[]): Figure[] {
  const base = { row: 3, unit: 'ms' as const, runs: KEYS };
  const [bareMs, idleMs, p99Ms] = [median(bare), median(idle), quantile(beside, 0.99)];
  return [
    {
      ...base,
      work: 'key to echo, idle, median',
      value: idleMs,
      against: { name: 'bare node-pty', value: bareMs },
      ratio: idleMs / bareMs,
      target: '≤ +2 ms',
      isMet: idleMs - bareMs <= 2,
    },
    {
      ...base,
      work: 'key to echo beside a flood, p99',
      value: p99Ms,
      against: { name: 'idle median', value: idleMs },
      ratio: p99Ms / idleMs,
      target: '≤ 10 × and < 30 ms',
      isMet: p99Ms <= 10 * idleMs && p99Ms < 30,
    },
    {
      ...base,
      work: 'key to echo beside a flood, median',
      value: median(beside),
      against: { name: 'idle median', value: idleMs },
      ratio: median(beside) / idleMs,
      target: '',
      isMet: null,
    },
  ];
}

/** Times keys that the line discipline echoes, without a program. */
async function bareEchoes(): Promise<number[]> {
  const pty = spawn('cat', [], { ...SIZE, encoding: null });
  let heard: () => void = () => undefined;
  const listening = pty.onData(() => heard());
  const times = await timeKeys(
    (key) => pty.write(key),
    (listen) => {
      heard = listen;
    },
  );
  listening.dispose();
  pty.kill();
  return times;
}

async function echoes(served: ServedCore, id: string): Promise<number[]> {
  let heard: () => void = () => undefined;
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const viewing = served.view(id, (item: StreamItem) => {
    if (item.type === 'state') isReady();
    if (item.type === 'bytes') heard();
  });
  await ready;
  const started = await served.api.terminal.submit.mutate({ id, text: 'cat' });
  if (!started.ok) throw new Error(`cat was refused: ${started.reason}`);
  await pause(FLOOD_SETTLE_MS);
  const times = await timeKeys(
    (key) => served.press(id, key),
    (listen) => {
      heard = listen;
    },
  );
  await served.api.terminal.write.mutate({ id, data: '\x03' });
  await pause(FLOOD_SETTLE_MS);
  viewing.unsubscribe();
  return times;
}

/** Times one key after the other; `onEcho` sets the listener for the next echo. */
async function timeKeys(press: (key: string) => void, onEcho: (listen: () => void) => void): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < KEYS; n++) {
    const startMs = performance.now();
    await new Promise<void>((resolve) => {
      onEcho(resolve);
      // The line discipline takes at most 4,096 characters a line.
      press(n % 100 === 99 ? '\r' : 'a');
    });
    times.push(performance.now() - startMs);
    await pause(KEY_EVERY_MS);
  }
  return times;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
