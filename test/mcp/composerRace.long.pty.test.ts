import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlockChange } from '../../src-main/contract/api.ts';
import type { Block } from '../../src-main/contract/block.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { Random } from './exec/person.ts';
import { call } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const RUNS = timesOf({ merge: 12, soak: 80 });
const SEED = Number(process.env.HANSARD_TEST_SEED ?? 20261123);
const MAX_APART_MS = 60;
/** Reads one typed line and prints it. */
const READS = 'head -n 1';
const POLICY = {
  version: 1,
  clients: { '*': { scopes: ['exec'] } },
  exec: { allow: [{ argv: ['head'] }] },
  input: { typing_hold_ms: 1000 },
  limits: { exec_per_min: 600, reads_per_min: 100_000 },
};

const served = new ServedMcp();
let { link, mcp, id } = {} as Awaited<ReturnType<ServedMcp['start']>>;
const blocks = new Map<string, Block>();
const waiting = new Set<() => void>();

beforeAll(async () => {
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });
  ({ link, mcp, id } = await served.start({ cols: 80, rows: 24 }));
  link.api.block.onChange.subscribe({ terminalId: id }, { onData: take });
  await runIn(link.api, id, 'true');
}, 60_000);

afterAll(() => served.dispose());

function take(change: BlockChange): void {
  if (change.type === 'output' || change.type === 'divider') return;
  blocks.set(change.block.id, change.block);
  for (const look of waiting) look();
}

/** Resolves when a block meets the condition. */
function until(isMet: (block: Block) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (![...blocks.values()].some(isMet)) return;
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
    look();
  });
}

/** Simulates a window in which a person writes `text` in the composer and presses Return after `pauseMs`. */
async function compose(text: string, pauseMs: number): Promise<boolean> {
  const draft = link.api.terminal.draft.subscribe({ id }, { onData: () => undefined });
  await sleep(pauseMs);
  const { ok } = await link.api.terminal.submit.mutate({ id, text, asked: { running: null } });
  draft.unsubscribe();
  return ok;
}

/** Presses Return as the person at the empty line, which frees the terminal for the client. */
const pressReturn = () => link.api.terminal.write.mutate({ id, data: '\r' });

async function race(run: number, when: { draft: number; pause: number; exec: number }): Promise<boolean> {
  const text = `echo person${run}`;
  const [wasSent, { block_id }] = await Promise.all([
    sleep(when.draft).then(() => compose(text, when.pause)),
    sleep(when.exec).then(() => call(mcp.client, 'pty_exec', { pty_id: id, cmd: READS, wait_ms: 0 })),
  ]);
  const own = ({ id: blockId }: Block): boolean => block_id === `${id}.${blockId}`;
  if (wasSent) {
    await until(({ cmd, status }) => cmd === text && status !== 'running');
    await pressReturn();
  }
  await until(own);
  await link.api.terminal.write.mutate({ id, data: `agent${run}\r` });
  await until((block) => own(block) && block.status !== 'running');
  await pressReturn();
  const told = await call(mcp.client, 'blocks_read', { block_id });
  expect(told.parts.map((part: { text: string }) => part.text).join('')).not.toContain('person');
  expect(
    [...blocks.values()].some(({ cmd }) => cmd === text),
    'a line runs exactly when it was taken',
  ).toBe(wasSent);
  return wasSent;
}

test(`a line from the composer never reaches a program that a client began, in ${RUNS} runs (seed ${SEED})`, async () => {
  const sent: boolean[] = [];
  for (let run = 0; run < RUNS; run++) {
    const random = new Random(SEED + 7919 * run);
    const any = { draft: random.upTo(MAX_APART_MS), pause: random.upTo(MAX_APART_MS), exec: random.upTo(MAX_APART_MS) };
    // the first two runs do not overlap: one side ends before the other begins
    const when = run === 0 ? { draft: 3000, pause: 0, exec: 0 } : run === 1 ? { draft: 0, pause: 100, exec: 50 } : any;
    sent.push(await race(run, when));
  }
  expect(sent.slice(0, 2)).toEqual([false, true]);
}, 300_000);
