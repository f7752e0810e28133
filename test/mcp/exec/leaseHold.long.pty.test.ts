import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ToolFault } from '../../../src-main/contract/mcp/mcp.ts';
import { Policy } from '../../../src-main/contract/mcp/policy.ts';
import { McpWriteService } from '../../../src-main/mcp/server/McpWriteService.ts';
import { spawnNodePty } from '../../../src-main/pty/NodePty.ts';
import type { PtyProcess, PtySpec } from '../../../src-main/pty/PtyProcess.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { systemClock } from '../../../src-main/util/Clock.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { timesOf } from '../../support/fuzzRuns.ts';
import { TestCore, until } from '../../support/TestCore.ts';
import { caller } from './clients.ts';
import { Random } from './person.ts';

const RUNS = timesOf({ merge: 20, soak: 120 });
const SEED = Number(process.env.HANSARD_TEST_SEED ?? 20261123);
const HOLD_MS = 40;
const AGENT = 'AGENT';
const KEY = 'key of the person';

const parsed = Policy.parse({ input: { default: 'allow' } });
const policy: Policy = { ...parsed, input: { ...parsed.input, typing_hold_ms: HOLD_MS } };

/** Keys at the time when the person presses them, which a busy machine writes later, and all writes to the PTY with their times. */
const writes: { text: string; atMs: number }[] = [];
let core: TestCore;
let desks: McpWriteService;
/** Offset by which the wall clock was changed, in ms. */
let jumpedMs = 0;

beforeAll(async () => {
  core = await TestCore.start({ spawnPty: spawnWatched });
  desks = new McpWriteService({
    agents: () => expect.unreachable('no agent is asked here'),
    openTerminal: () => expect.unreachable('no terminal is opened here'),
    closeTerminal: () => expect.unreachable('no terminal is closed here'),
    dataFolder: core.home,
    clock: { ...systemClock, nowMs: () => systemClock.nowMs() + jumpedMs },
    log: silentLog,
    randomId: (bytes) => randomBytes(bytes).toString('hex'),
    notices: core.core.notices,
    policy: () => policy,
    terminal: (id) => core.core.terminal(id),
    terminals: () => [],
  });
  await desks.open();
});

afterAll(async () => {
  await desks.close();
  await core.dispose();
});

function spawnWatched(spec: PtySpec): PtyProcess {
  const pty = spawnNodePty(spec);
  const write = pty.write.bind(pty);
  pty.write = (data) => {
    writes.push({ text: Buffer.from(data).toString('latin1'), atMs: systemClock.monotonicMs() });
    write(data);
  };
  return pty;
}

async function type(terminal: PtyInstance, random: Random): Promise<void> {
  for (let left = random.upTo(6); left >= 0; left--) {
    await sleep(random.upTo(2 * HOLD_MS));
    writes.push({ text: KEY, atMs: systemClock.monotonicMs() });
    terminal.type('p');
  }
}

/** A client that requests a new lease whenever it has lost one, and types whenever it has one. */
async function insist(terminal: PtyInstance, isOver: () => boolean): Promise<void> {
  while (!isOver())
    try {
      const lease = await desks.leases.request({ terminalId: terminal.id, reason: '', ttlS: 60 }, caller());
      while (!isOver())
        await desks.send.send(
          { terminalId: terminal.id, leaseId: lease.id, text: AGENT, wait: { stableMs: 0, timeoutMs: 0 } },
          caller(),
        );
    } catch (error) {
      if (!(error instanceof ToolFault)) throw error;
    }
}

test(`no client types within the hold after a key of the person, in ${RUNS} runs (seed ${SEED})`, async () => {
  const terminal = await core.open();
  await terminal.submit('stty raw -echo; cat > /dev/null');
  await until(terminal, ({ book }) => book.runningId !== null);
  for (let run = 0; run < RUNS; run++) {
    let isOver = false;
    const client = insist(terminal, () => isOver);
    await type(terminal, new Random(SEED + 7919 * run));
    await sleep(2 * HOLD_MS);
    isOver = true;
    await client;
  }
  let lastKeyMs = Number.NEGATIVE_INFINITY;
  const early: number[] = [];
  for (const { text, atMs } of writes) {
    if (text === KEY) lastKeyMs = atMs;
    else if (text.includes(AGENT) && atMs - lastKeyMs < HOLD_MS) early.push(atMs - lastKeyMs);
  }
  expect(early).toEqual([]);
  expect(writes.filter(({ text }) => text === AGENT).length).toBeGreaterThan(RUNS / 2);
}, 300_000);

test('a lease ends with its time, whatever becomes of the clock meanwhile', async () => {
  const terminal = await core.open();
  for (const jumpMs of [-3_600_000, 3_600_000]) {
    const lease = await desks.leases.request({ terminalId: terminal.id, reason: '', ttlS: 1 }, caller());
    jumpedMs += jumpMs;
    const isHeld = () => desks.leases.isHeld(lease.id, terminal.id, caller());
    expect(isHeld(), String(jumpMs)).toBe(true);
    await expect.poll(isHeld, { timeout: 5_000 }).toBe(false);
  }
  jumpedMs = 0;
});

test('a lease is of the process that got it, not of whoever has its name', async () => {
  const terminal = await core.open();
  const asked = { terminalId: terminal.id, reason: '', ttlS: 60 };
  const lease = await desks.leases.request(asked, caller());
  const stranger = caller('tester', { account: 'another process' });
  await expect(desks.leases.request(asked, stranger)).rejects.toMatchObject({ code: 'BUSY' });
  desks.leases.release(lease.id, stranger);
  expect(desks.leases.isHeld(lease.id, terminal.id, caller())).toBe(true);
  expect([stranger, caller()].map((one) => desks.leases.hasKeys(terminal.id, one))).toEqual([false, true]);
});
