import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { ServedApp } from '../support/WebApp.ts';
import { median } from './Figure.ts';

/** Minutes until caches are full and the code is compiled. */
const WARM_MINUTES = 5;
const MOST_GROWTH = 0.05;
const SAMPLE_EVERY_MS = 2_000;
/** Playback speed of recorded conversations; an hour has about two hours of agents' work. */
const AGENT_SPEED = 2;

const AGENTS = join(import.meta.dirname, '../fixtures/agents');
const PLAYER = join(import.meta.dirname, '../support/playedAgent.mjs');

/** The shells' commands during the soak, one kind per shell: lines, a redrawn screen, short commands, floods, agents. */
const LINES = 'for ((n = 0; ; n++)); do echo "line $n of a long log with some words in it"; sleep 0.005; done';
const REDRAWN = `while :; do printf '\\e[?1049h\\e[H'; for n in {1..30}; do echo "row $n $RANDOM"; done; sleep 0.05; done`;
const SHORT = (n: number): string => `printf 'run %s\\n' ${n}; seq 1 40`;
const FLOOD = (): string => "yes 'a flood of lines' | head -c 5000000";

const app = new ServedApp();
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
if (!Number.isInteger(minutes) || minutes < 1) {
  process.stderr.write(`--minutes ${values.minutes}: give a whole number from 1\n`);
  process.exit(64);
}
const isFlat = await soak().finally(() => app.dispose());
process.exit(isFlat ? 0 : 1); // calls to the stopped core are still pending and would keep this process alive

async function soak(): Promise<boolean> {
  await app.start();
  const connection = connectTo(app.home);
  const { api } = connection;
  const open = async (): Promise<string> => {
    const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 120, rows: 40 });
    look(api, id);
    return id;
  };
  for (const command of [LINES, REDRAWN]) await submit(api, await open(), command);
  const endless = [
    repeat(api, { id: await open(), pauseMs: 400 }, SHORT),
    repeat(api, { id: await open(), pauseMs: 20_000 }, FLOOD),
    repeat(api, { id: await open() }, agentCommands()),
  ];
  const failed = Promise.race(endless); // they settle only by failing
  const floors: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    floors.push(await Promise.race([lowestRss(), failed]));
    process.stdout.write(`minute ${minute}: ${Math.round(floors.at(-1) ?? 0)} MiB\n`);
  }
  return judge(floors);
}

/** The core's lowest RSS within a minute, in MiB: its memory without garbage. */
async function lowestRss(): Promise<number> {
  const untilMs = performance.now() + 60_000;
  let lowest = Number.POSITIVE_INFINITY;
  while (performance.now() < untilMs) {
    await sleep(SAMPLE_EVERY_MS);
    lowest = Math.min(
      lowest,
      Number(execFileSync('ps', ['-o', 'rss=', '-p', `${app.pid}`], { encoding: 'utf8' })) / 1024,
    );
  }
  return lowest;
}

/** Compares medians of several minutes, because single ones vary with the garbage collector. */
function judge(floors: readonly number[]): boolean {
  if (floors.length < 2 * WARM_MINUTES) {
    process.stdout.write(
      `no verdict: that takes ${2 * WARM_MINUTES} minutes, caches fill in the first ${WARM_MINUTES}\n`,
    );
    return true;
  }
  const span = Math.max(1, Math.min(10, Math.floor((floors.length - WARM_MINUTES) / 2)));
  const growth = median(floors.slice(-span)) / median(floors.slice(WARM_MINUTES - 1, WARM_MINUTES - 1 + span)) - 1;
  const isFlat = growth <= MOST_GROWTH;
  const percent = `${growth >= 0 ? '+' : ''}${(growth * 100).toFixed(1)} %`;
  const minutesOf = `${span} ${span === 1 ? 'minute' : 'minutes'}`;
  process.stdout.write(
    `${isFlat ? 'flat' : 'GROWS'}: ${percent} from ${minutesOf} at minute ${WARM_MINUTES} to the last; at most +5 %\n`,
  );
  return isFlat;
}

/** Views and acknowledges a terminal as a window does. */
function look(api: CoreConnection['api'], id: string): void {
  const onError = (error: unknown): void => void process.stderr.write(`${id}: ${String(error)}\n`);
  api.terminal.stream.subscribe(
    { id, viewerId: 'soak' },
    {
      onData: (item) => {
        if (item.type !== 'bytes') return;
        const offset = item.offset + Buffer.from(item.data, 'base64').length;
        api.terminal.ack.mutate({ id, viewerId: 'soak', offset }).catch(() => undefined); // fails once the core stops at the end
      },
      onError,
    },
  );
}

/** Runs one command after the other, each when the previous one has ended. */
async function repeat(
  api: CoreConnection['api'],
  { id, pauseMs = 100 }: { id: string; pauseMs?: number },
  commandOf: (n: number) => string,
): Promise<never> {
  for (let n = 0; ; n += 1) {
    await submit(api, id, commandOf(n));
    await sleep(pauseMs);
  }
}

async function submit(api: CoreConnection['api'], id: string, text: string): Promise<void> {
  while (!(await api.terminal.submit.mutate({ id, text })).ok) await sleep(50);
}

/** Command lines that play the recorded conversations in turn, under the names of their agents. */
function agentCommands(): (n: number) => string {
  const casts = globSync('{claude,codex,gemini,opencode}/*-short-turns/session.cast', { cwd: AGENTS }).sort();
  const bin = join(app.home, 'bin');
  mkdirSync(bin, { recursive: true });
  return (n) => {
    const cast = casts[n % casts.length] ?? '';
    const program = join(bin, basename(join(AGENTS, cast, '../..')));
    copyFileSync(PLAYER, program);
    chmodSync(program, 0o755);
    return `${program} ${join(AGENTS, cast)} ${AGENT_SPEED}`;
  };
}
