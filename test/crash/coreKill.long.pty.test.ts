import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { Block } from '../../src-main/contract/block.ts';
import { TerminalMeta } from '../../src-main/contract/terminal.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { connectTo } from '../support/coreClient.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { ServedApp } from '../support/WebApp.ts';

/** Each run starts a whole core with four busy shells; kill.pty.test.ts kills only the store, and more often. */
const RUNS = timesOf({ merge: 6, soak: 40 });
const TERMINALS = 4;

const app = new ServedApp();
afterAll(() => app.dispose());

/** Keeps a shell busy with short commands that print, and collects the blocks that the core reports as closed. */
async function keepBusy(api: CoreConnection['api'], id: string, done: Map<string, Block>): Promise<void> {
  api.block.onChange.subscribe(
    { terminalId: id },
    {
      onData: (change) => {
        if (change.type !== 'close') return;
        done.set(change.block.id, change.block);
        void submit();
      },
      onError: () => undefined, // the test kills the core
    },
  );
  let count = 0;
  const submit = async (): Promise<void> => {
    count += 1;
    const command = count % 5 === 0 ? 'seq 1 20000' : `printf 'run %s\\n' ${count}; (exit ${count % 3})`;
    for (let isTaken = false; !isTaken; ) {
      const verdict = await api.terminal.submit.mutate({ id, text: command }).catch(() => null); // as above
      isTaken = verdict === null || verdict.ok;
      if (!isTaken) await sleep(5);
    }
  };
  await submit();
}

function linesOf(path: string): unknown[] {
  const text = readFileSync(path, 'utf8');
  expect(text === '' || text.endsWith('\n'), `${path} ends with a whole line`).toBe(true);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** After a start on the killed core's folder, every file parses and every acknowledged block is unchanged. */
function verify(home: string, done: ReadonlyMap<string, Block>): void {
  const latest = new Map<string, Block>();
  for (const id of SessionFolder.list(home)) {
    const folder = new SessionFolder(home, id);
    TerminalMeta.parse(JSON.parse(readFileSync(folder.meta, 'utf8')));
    linesOf(folder.events);
    const blocks = linesOf(folder.blocksJsonl).map((line) => Block.parse(line));
    for (const block of blocks) latest.set(block.id, block);
    const size = statSync(folder.raw).size;
    for (const block of blocks) expect(block.rawEnd ?? 0).toBeLessThanOrEqual(size);
  }
  for (const [id, block] of done) {
    expect(latest.get(id), `block ${id} was acknowledged`).toMatchObject({
      status: block.status,
      exitCode: block.exitCode,
      cmd: block.cmd,
      rawStart: block.rawStart,
      rawEnd: block.rawEnd,
    });
  }
  const stillOpen = [...latest.values()].filter(({ status }) => status === 'running');
  expect(stillOpen.map(({ id }) => id)).toEqual([]);
}

test(
  `a core that is killed ${RUNS} times while ${TERMINALS} shells work loses no acknowledged block and leaves no broken file`,
  async () => {
    const done = new Map<string, Block>();
    let interrupted = 0;
    for (let run = 0; run < RUNS; run++) {
      await app.start();
      verify(app.home, done);
      const connection = connectTo(app.home);
      const { order } = await connection.api.workspace.get.query();
      expect(order.length).toBe(run === 0 ? 0 : TERMINALS);
      for (let n = order.length; n < TERMINALS; n++)
        order.push((await connection.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 })).id);
      for (const id of order) void keepBusy(connection.api, id, done);
      await sleep(200 + Math.floor(((run * 7919) % 100) * 12));
      await app.crash();
      connection.dispose();
    }
    await app.start();
    verify(app.home, done);
    for (const id of readdirSync(join(app.home, 'terminals'))) {
      const blocks = linesOf(new SessionFolder(app.home, id).blocksJsonl).map((line) => Block.parse(line));
      interrupted += blocks.filter(({ status }) => status === 'interrupted').length;
    }
    expect(done.size).toBeGreaterThan(RUNS * TERMINALS);
    expect(interrupted, 'some kill met a running command').toBeGreaterThan(0);
  },
  20 * 60_000,
);
