import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bridgeCommand, SmallApp } from '../mcp/bridge/bridgeBed.ts';
import { bridgeOf, inspect, type Load } from '../mcp/inspector/inspect.ts';
import { connectTo } from '../support/coreClient.ts';
import { ServedApp } from '../support/WebApp.ts';
import { type Figure, median, type Row } from './Figure.ts';

const TERMINALS = 10;
const LOAD_S = 5;
/** A flood without end. */
const FLOOD = 'while :; do seq 100000; done';
/** Numbers of mcp.md: a bare prototype on two idle cores. */
const FLOOR = { callsPerS: 2793, p99Ms: 19 };

type Server = Parameters<typeof inspect>[0];

/**
 * Calls of the MCP Inspector (ten at a time) through the real bridge and socket, while nothing runs and while ten terminals flood. Each run
 * is paired with a bare server of the SDK over the same bridge, because most of the time goes to the client and the connection.
 */
export const row14: Row = async ({ folder, runs }, say) => {
  const bare = await SmallApp.start(join(folder, 'bare'));
  const app = new ServedApp({ home: join(folder, 'app') });
  await app.start();
  const limits = { reads_per_min: 10_000_000, bytes_per_min: 1024 ** 3 };
  writeFileSync(join(app.home, 'policy.json'), JSON.stringify({ version: 1, limits }), { mode: 0o600 });
  const theirs = (): Promise<Load> =>
    load({ command: process.execPath, args: bridgeCommand(join(folder, 'bare')).args }, 'echo', folder);
  const ours = (): Promise<Load> => load(bridgeOf(app.home), 'pty_list', folder);
  try {
    const idle = await inPairs(runs, { ours, theirs }, (text) => say(`idle: ${text}`));
    await flood(app.home);
    const flooded = await inPairs(runs, { ours, theirs }, (text) => say(`${TERMINALS} floods: ${text}`));
    return [
      ...figures('MCP calls, nothing else runs', idle, runs),
      ...figures(`MCP calls, ${TERMINALS} terminals flood`, flooded, runs),
    ];
  } finally {
    await app.stop();
    await bare.end();
  }
};

async function flood(home: string): Promise<void> {
  const { api, dispose } = connectTo(home);
  for (let count = 0; count < TERMINALS; count += 1) {
    const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 120, rows: 40 });
    while (!(await api.terminal.submit.mutate({ id, text: FLOOD })).ok)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }
  dispose();
}

async function load(server: Server, tool: string, folder: string): Promise<Load> {
  const args = ['--method', 'tools/call', '--tool-name', tool, '--load', '--load-duration', String(LOAD_S)];
  const { result, stderr } = await inspect(server, join(folder, 'inspector'), { era: 'legacy', args });
  const told = result as unknown as Load | null;
  if (told === null || told.ok !== told.requests)
    throw new Error(`not all calls of ${tool} were answered: ${JSON.stringify(told)} ${stderr}`);
  return told;
}

interface Pairs {
  readonly ours: Load[];
  readonly theirs: Load[];
}

async function inPairs(
  runs: number,
  { ours, theirs }: { ours: () => Promise<Load>; theirs: () => Promise<Load> },
  say: (text: string) => void,
): Promise<Pairs> {
  const pairs: Pairs = { ours: [], theirs: [] };
  for (let run = 0; run < runs; run += 1) {
    const their = await theirs();
    const our = await ours();
    pairs.theirs.push(their);
    pairs.ours.push(our);
    say(
      `${our.throughput.toFixed(0)} calls/s (bare ${their.throughput.toFixed(0)}), p99 ${our.latencyMs.p99} ms (bare ${their.latencyMs.p99})`,
    );
  }
  return pairs;
}

function figures(work: string, { ours, theirs }: Pairs, runs: number): Figure[] {
  const figure = (
    of: (load: Load) => number,
    more: Pick<Figure, 'work' | 'unit' | 'target'> & { isMet: (value: number) => boolean | null },
  ): Figure => {
    const value = median(ours.map(of));
    const against = { name: 'bare SDK server', value: median(theirs.map(of)) };
    const ratio = more.unit === 'ms' ? value / against.value : against.value / value;
    return { row: 14, runs, ...more, value, against, ratio, isMet: more.isMet(value) };
  };
  return [
    figure(({ throughput }) => throughput, {
      work,
      unit: 'calls/s',
      target: `≥ ${FLOOR.callsPerS} calls/s`,
      isMet: (value) => value >= FLOOR.callsPerS,
    }),
    figure(({ latencyMs }) => latencyMs.p50, { work: '  … p50', unit: 'ms', target: '', isMet: () => null }),
    figure(({ latencyMs }) => latencyMs.p99, {
      work: '  … p99',
      unit: 'ms',
      target: `≤ ${FLOOR.p99Ms} ms`,
      isMet: (value) => value <= FLOOR.p99Ms,
    }),
  ];
}
