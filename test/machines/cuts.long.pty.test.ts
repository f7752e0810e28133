import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, test } from 'vitest';
import { withoutMachine } from '../../src-main/shared/machineIds.ts';
import { AgentSeat } from '../agents/board/AgentSeat.ts';
import { Dice } from '../agents/cases/Dice.ts';
import { installedVersion } from '../agents/launch/Agent.ts';
import { AGENTS } from '../agents/launch/agents.ts';
import { LongTalk, recordedTalk } from '../agents/outlive/LongTalk.ts';
import { fuzzSeed, timesOf } from '../support/fuzzRuns.ts';
import { soon } from '../support/soon.ts';
import { FarMachine } from './rig/FarMachine.ts';
import { Flood } from './rig/Flood.ts';
import { findProgram, SSHD } from './rig/findProgram.ts';
import { Keys } from './rig/Keys.ts';
import { WindowScreen } from './rig/WindowScreen.ts';

/**
 * `clean`: one cut. `rough`: a line that drops connections. `frozen`: a frozen line that is cut at the end. `dead`: a frozen line whose
 * ends get no notice. `slow`: one cut, then a round trip of 200 ms.
 */
type Cut = 'clean' | 'rough' | 'frozen' | 'dead' | 'slow';
const CUTS = timesOf({ merge: 3, soak: 50 });
const SEED = fuzzSeed();
/** `dead` takes as long as ssh's keep-alive, so only long runs have it. */
const KINDS: readonly Cut[] =
  CUTS < 10 ? ['clean', 'rough', 'frozen', 'slow'] : ['clean', 'rough', 'frozen', 'dead', 'slow'];
const KEY_EVERY_MS = 40;
/** Fewer cuts, because an agent's answer takes five seconds. */
const CUTS_OF_A_TURN = 3;

const started: { dispose(): unknown }[] = [];
function owned<T extends { dispose(): unknown }>(one: T): T {
  started.push(one);
  return one;
}
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

const dice = new Dice(SEED);

/** Cuts the line after a random time. Resolves after the reconnection with the milliseconds that it took from the loss. */
async function cut(machine: FarMachine, kind: Cut): Promise<number> {
  const { line } = machine;
  await sleep(dice.between(0, 1_500));
  await machine.is('connected');
  const losses = machine.losses + 1;
  line.become({ delayMs: kind === 'slow' ? 100 : 0 });
  if (kind === 'rough') {
    line.become({ cutsPerSecond: 2, random: () => dice.between(0, 999) / 1_000 });
    await machine.hasLost(losses);
    line.become({});
  } else if (kind === 'frozen') {
    line.freeze();
    await sleep(dice.between(500, 3_500));
    line.repair();
  } else if (kind === 'dead') {
    line.freeze();
    line.reroute();
  } else line.cut();
  await machine.hasLost(losses);
  const atMs = performance.now();
  await machine.is('connected');
  return performance.now() - atMs;
}

async function startAgent(machine: FarMachine): Promise<{ seat: AgentSeat; talk: LongTalk } | null> {
  const claude = AGENTS.find(({ name }) => name === 'claude');
  if (process.env.HANSARD_TEST_AGENTS !== '1' || !claude || installedVersion(claude) === null) return null;
  const seat = owned(await AgentSeat.open(claude, machine.near.api));
  await seat.start(machine.near.api, machine);
  return { seat, talk: new LongTalk(seat) };
}

describe.skipIf(SSHD === null || findProgram('vim') === null)(`over ${CUTS} cuts of the line (seed ${SEED})`, () => {
  test('each key is typed once, each screen is the machine’s own, and nothing is missing in its record', {
    timeout: 120_000 + CUTS * 45_000,
  }, async () => {
    const machine = owned(await FarMachine.start());
    mkdirSync(join(machine.sshd.home, 'typed'));
    const flood = await Flood.start(machine, 10);
    const [cat, vim] = [await machine.open(), await machine.open()];
    await machine.begin(cat, 'stty -echo; cat > typed/cat');
    await machine.begin(vim, 'vim -u NONE -i NONE -c startinsert typed/vim');
    const agent = await startAgent(machine);
    const ids = [flood.id, cat, vim, ...(agent ? [agent.seat.terminalId] : [])];
    const windows = ids.map((id) => owned(new WindowScreen(machine.near.api, id)));
    await soon(() => windows.map(({ counts }) => counts.states)).toEqual(ids.map(() => 1));
    const typists = [cat, vim].map((id) => new Keys((data) => machine.near.api.terminal.write.mutate({ id, data })));
    const typing = setInterval(() => {
      for (const keys of typists) keys.type();
    }, KEY_EVERY_MS);
    owned({ dispose: () => clearInterval(typing) });
    const away: { kind: Cut; ms: number }[] = [];
    for (let at = 0; at < CUTS; at += 1) {
      const isTurn = agent && at % CUTS_OF_A_TURN === 0;
      if (isTurn) await agent.talk.begin(`t${at}`);
      const kind = dice.of(KINDS);
      away.push({ kind, ms: await cut(machine, kind) });
      if (agent && (at % CUTS_OF_A_TURN === CUTS_OF_A_TURN - 1 || at === CUTS - 1)) {
        await agent.talk.finish(`cut ${at}`);
      }
    }
    clearInterval(typing);
    const floodBytes = await flood.stop();
    const texts = await Promise.all(typists.map((keys) => keys.taken()));
    for (const id of [cat, vim])
      await machine.give(() => machine.near.api.terminal.write.mutate({ id, data: id === cat ? '\x04' : '\x1b:w\r' }));
    for (const [at, name] of ['cat', 'vim'].entries())
      await soon(() => readFileSync(join(machine.sshd.home, 'typed', name), 'utf8').trimEnd()).toBe(
        texts[at]?.trimEnd(),
      );
    for (const [at, id] of ids.entries())
      await soon(async () => {
        const { near, far } = await machine.rows(id);
        const window = windows[at]?.rows.join('\n');
        return [near.join('\n') === far.join('\n'), window === far.join('\n')];
      }).toEqual([true, true]);
    if (agent) {
      const recorded = () => recordedTalk(machine.sshd.dataFolder, withoutMachine(agent.seat.terminalId));
      await soon(recorded).toEqual([agent.talk.said]);
    }
    report({ away, floodBytes, typists, windows, agent });
  });
});

function report(seen: {
  away: { kind: Cut; ms: number }[];
  floodBytes: number;
  typists: Keys[];
  windows: WindowScreen[];
  agent: unknown;
}): void {
  const of = (kind: Cut) => seen.away.filter((one) => one.kind === kind).map(({ ms }) => ms);
  const times = KINDS.flatMap((kind) => {
    const ms = of(kind).sort((a, b) => a - b);
    const middle = ms[Math.floor(ms.length / 2)];
    return middle === undefined
      ? []
      : [`${ms.length} ${kind} (${Math.round(middle)} to ${Math.round(ms.at(-1) ?? 0)} ms)`];
  });
  const keys = seen.typists.map(({ count, refused }) => `${count} keys, ${refused} refused`);
  const windows = seen.windows.map(({ counts }) => `${counts.bytes} bytes, ${counts.states} states`);
  const flood = `flood of ${seen.floodBytes} bytes`;
  process.stdout.write(
    `seed ${SEED}, ${seen.agent ? 'with' : 'without'} an agent: ${[times.join(', '), flood, ...keys, ...windows].join('; ')}\n`,
  );
}
