import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';
import { ServedApp } from '../support/WebApp.ts';

const TERMINALS = 50;
const BYTES = 200 * 1024;
/** How long the core is stopped; HANSARD_TEST_STOP_MS=60000 makes it a minute. */
const STOP_MS = Number(process.env.HANSARD_TEST_STOP_MS ?? 4_000);

let app: ServedApp;
let core: CoreConnection;
beforeEach(async () => {
  app = await new ServedApp().start();
  core = connectTo(app.home);
});
afterEach(async () => {
  core.dispose();
  await app.dispose();
});

/** Opens terminals and waits until their shells are at their prompts. */
async function openTerminals(count: number): Promise<string[]> {
  const opened = await Promise.all(
    Array.from({ length: count }, () => core.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 })),
  );
  const ids = opened.map(({ id }) => id);
  const waiting = new Set(ids);
  await new Promise<void>((resolve) => {
    const following = core.api.terminal.onChange.subscribe(undefined, {
      onData: (change) => {
        const views = change.type === 'all' ? change.terminals : change.type === 'changed' ? [change.terminal] : [];
        for (const { id, atPrompt } of views) if (atPrompt) waiting.delete(id);
        if (waiting.size > 0) return;
        following.unsubscribe();
        resolve();
      },
    });
  });
  return ids;
}

/** Runs a command in every terminal at once; resolves with the blocks when all have ended. */
async function runInAll(ids: readonly string[], commandOf: (at: number) => string): Promise<Block[]> {
  const ended = ids.map(
    (terminalId) =>
      new Promise<Block>((resolve) => {
        const following = core.api.block.onChange.subscribe(
          { terminalId },
          {
            onData: (change) => {
              if (change.type !== 'close' || change.block.cmd === null) return;
              following.unsubscribe();
              resolve(change.block);
            },
          },
        );
      }),
  );
  await Promise.all(ids.map((id, at) => core.api.terminal.submit.mutate({ id, text: commandOf(at) })));
  return Promise.all(ended);
}

const hashOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** The output of `yes LINE | head -c BYTES` in a terminal. */
function sent(line: string, bytes: number): string {
  const text = `${line}\n`;
  return text
    .repeat(Math.ceil(bytes / text.length))
    .slice(0, bytes)
    .replaceAll('\n', '\r\n');
}

function recorded({ terminalId, rawStart, rawEnd }: Block): Buffer {
  return readFileSync(new SessionFolder(app.home, terminalId).raw).subarray(rawStart, rawEnd ?? undefined);
}

test(`${TERMINALS} terminals that print at once are recorded to the byte, and none starves`, async () => {
  const ids = await openTerminals(TERMINALS);
  const beganMs = Date.now();
  const blocks = await runInAll(ids, (at) => `yes "terminal ${at} of many" | head -c ${BYTES}`);
  expect(blocks.map((block) => hashOf(recorded(block)))).toEqual(
    blocks.map((_, at) => hashOf(sent(`terminal ${at} of many`, BYTES))),
  );
  const tookMs = blocks.map(({ endedMs }) => (endedMs ?? 0) - beganMs).sort((a, b) => a - b);
  const [first = 0, last = 0] = [tookMs[0], tookMs.at(-1)];
  process.stdout.write(
    `first of ${TERMINALS} ended after ${first} ms, last after ${last} ms (× ${(last / first).toFixed(1)})\n`,
  );
  // The commands start one after the other, so the first may end before the last has started.
  expect(last / first).toBeLessThan(5);
});

test(
  'while a core is stopped in the middle of a flood its host records on, and no byte is missing',
  async () => {
    const ids = await openTerminals(4);
    const bytes = 5 * 1024 * 1024;
    const running = runInAll(ids, (at) => `yes "line of ${at}" | head -c ${bytes}`);
    const size = () => readFileSync(new SessionFolder(app.home, ids[0] ?? '').raw).length;
    while (size() < 100_000) await sleep(5);
    process.kill(app.pid, 'SIGSTOP');
    await sleep(STOP_MS);
    await soon(size).toBeGreaterThan(bytes);
    process.kill(app.pid, 'SIGCONT');
    const blocks = await running;
    expect(blocks.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
    expect(blocks.map((block) => hashOf(recorded(block)))).toEqual(
      blocks.map((_, at) => hashOf(sent(`line of ${at}`, bytes))),
    );
  },
  120_000 + STOP_MS,
);
