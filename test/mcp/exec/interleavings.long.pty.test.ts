import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecResult } from '../../../src-main/contract/mcp/exec.ts';
import { Policy } from '../../../src-main/contract/mcp/policy.ts';
import { isOver } from '../../../src-main/mcp/exec/reduceRequest.ts';
import { McpWriteService } from '../../../src-main/mcp/server/McpWriteService.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { systemClock } from '../../../src-main/util/Clock.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { timesOf } from '../../support/fuzzRuns.ts';
import { TestCore, until } from '../../support/TestCore.ts';
import { caller } from './clients.ts';
import { Person, Random } from './person.ts';
import { splitWire, Wire } from './wire.ts';

/** Total number of interleavings. SHARES divides them among shells; each shell runs a few terminals at once. */
const RUNS = timesOf({ merge: 120, soak: 1000 });
const SHARES = [
  ['bash', 0.76],
  ['zsh', 0.18],
  ['fish', 0.06],
] as const;
const TERMINALS = 4;
const SEED = Number(process.env.HANSARD_TEST_SEED ?? 20260922);
/** Far below the minimum of a policy, so that commands and keys meet as often as possible. */
const TYPING_HOLD_MS = 25;
const QUEUE_MS = 60_000;

const parsed = Policy.parse({ exec: { allow: [{ argv: ['true'] }] }, limits: { queue_len: 64 } });
const policy: Policy = { ...parsed, input: { ...parsed.input, typing_hold_ms: TYPING_HOLD_MS } };

/** One run: a person types while up to three clients request commands. Resolves with the last result of each client. */
async function interleave(
  terminal: PtyInstance,
  desks: McpWriteService,
  { random, run }: { random: Random; run: number },
): Promise<{ person: Person; told: ExecResult[] }> {
  const person = new Person(terminal, random, run);
  const told: ExecResult[] = [];
  const clients = Array.from({ length: random.upTo(2) + 1 }, async (_, client) => {
    for (let n = 0; n <= random.upTo(1); n++) {
      await sleep(random.upTo(60));
      const cmd = `true c${run}x${client}x${n}`;
      const request = { terminalId: terminal.id, cmd, waitMs: 0, queueTimeoutMs: QUEUE_MS };
      told.push(await desks.exec.exec(request, caller(`client-${client}`)));
    }
  });
  await Promise.all([person.work(), ...clients]);
  person.leave();
  for (;;) {
    const now = await Promise.all(told.map(({ blockId }) => desks.exec.settled(blockId, 1_000)));
    const open = now.filter((result) => result && !isOver(result.status));
    if (open.length === 0) return { person, told: now as ExecResult[] };
    if (open.some((result) => result?.idleBlockers.includes('line_not_empty'))) person.leave();
  }
}

describe.each(SHARES)('a person and clients at one %s', (shell, share) => {
  const runs = Math.max(TERMINALS, Math.round(RUNS * share));
  const wire = new Wire();
  let core: TestCore;
  let desks: McpWriteService;

  beforeAll(async () => {
    core = await TestCore.start({ spawnPty: wire.spawn });
    desks = new McpWriteService({
      agents: () => expect.unreachable('no agent is asked here'),
      openTerminal: () => expect.unreachable('no terminal is opened here'),
      closeTerminal: () => expect.unreachable('no terminal is closed here'),
      dataFolder: core.home,
      clock: systemClock,
      log: silentLog,
      randomId: (bytes) =>
        crypto
          .randomUUID()
          .replaceAll('-', '')
          .slice(0, 2 * bytes),
      notices: core.core.notices,
      policy: () => policy,
      terminal: (id) => core.core.terminal(id),
      terminals: () => [],
    });
    await desks.open();
    void answerAll(desks);
  });

  afterAll(async () => {
    await desks.close();
    await core.dispose();
  });

  test(
    `never have a line joined, keep each client's order, and end truly, in ${runs} runs (seed ${SEED})`,
    async () => {
      const lanes = Array.from({ length: TERMINALS }, async (_, lane) => {
        const terminal = await core.open(shell);
        const typed: string[] = [];
        const told: ExecResult[] = [];
        for (let run = lane; run < runs; run += TERMINALS) {
          const random = new Random(SEED + 7919 * run + shell.length);
          const done = await interleave(terminal, desks, { random, run });
          typed.push(...done.person.typed);
          told.push(...done.told);
        }
        await until(terminal, ({ book }) => book.runningId === null);
        checkWire(wire.of(terminal.input.shellPid), typed);
        await checkRecord(terminal, typed.join(''), told);
        return told;
      });
      const told = (await Promise.all(lanes)).flat();
      const ran = told.filter(({ status }) => status === 'completed').length;
      expect(told.length).toBeGreaterThan(runs);
      expect(ran / told.length, 'most commands ran').toBeGreaterThan(0.9);
    },
    10 * 60_000,
  );
});

async function answerAll(desks: McpWriteService): Promise<void> {
  for await (const change of desks.approvals.follow())
    if (change.type === 'asked') desks.approvals.answer(change.approval.id, { choice: 'once' });
}

/** Expects no key of the person between a client's command and its Return or Ctrl-U, and all keys of the person in their order. */
function checkWire(writes: readonly string[], typed: readonly string[]): void {
  const { persons, followers } = splitWire(writes, (text) => text.startsWith('true c'));
  expect(followers.filter((write) => write !== '\r' && write !== '\x15')).toEqual([]);
  expect(persons.join('')).toBe(typed.join(''));
}

/** Expects each block to be a complete command of a client or a command of the person, and the right final result for every client. */
async function checkRecord(terminal: PtyInstance, typed: string, told: readonly ExecResult[]): Promise<void> {
  const { blocks } = await terminal.book.page({ limit: 5_000 });
  const commands = new Map(told.map((result) => [result.cmd, result]));
  const strange = blocks.filter(({ kind, cmd, id, actor }) => {
    const own = cmd === null ? undefined : commands.get(cmd);
    if (own) return id !== own.blockId || actor !== `agent:${own.client}`;
    // the person's words contain no "c" or "x"; a shell may lose keys after a Ctrl-C
    return kind === 'command' && (cmd === null || actor !== 'user' || /[cx]/.test(cmd) || !isWithin(cmd, typed));
  });
  expect(strange.map(({ cmd, actor, id, exitCode }) => ({ cmd, actor, id, exitCode }))).toEqual([]);
  const ids = new Set(blocks.map(({ id }) => id));
  const untrue = told.filter(({ blockId, status }) => {
    const hasRun = status === 'completed' || status === 'interrupted' || status === 'unknown_end';
    return hasRun !== ids.has(blockId) || (!hasRun && status !== 'failed_to_start' && status !== 'expired');
  });
  expect(untrue.map(({ cmd, status, fault }) => ({ cmd, status, fault }))).toEqual([]);
  const order = new Map(blocks.map(({ id, seq }) => [id, seq]));
  for (const client of new Set(told.map((result) => result.client))) {
    const seqs = told.filter((result) => result.client === client).flatMap(({ blockId }) => order.get(blockId) ?? []);
    expect(seqs, `commands of ${client} ran in their order`).toEqual([...seqs].sort((a, b) => a - b));
  }
}

/** Whether `part` is `whole` with some characters missing. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part[at]) at += 1;
  return at === part.length;
}
