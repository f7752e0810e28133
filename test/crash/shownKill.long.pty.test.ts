import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { connectTo } from '../support/coreClient.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { ServedApp } from '../support/WebApp.ts';

/** Each run starts a whole core. */
const RUNS = timesOf({ merge: 9, soak: 18 });

/** Small separate pieces, lines as fast as a shell prints them, and a flood. */
const PRINTING = [
  `while :; do printf 'a few bytes %s ' $RANDOM; sleep 0.003; done`,
  'for ((n = 0; ; n++)); do echo "line $n of a loop"; done',
  "yes 'as much as the terminal takes'",
];

const app = new ServedApp();
afterAll(() => app.dispose());

interface Shown {
  pieces: { offset: number; bytes: Buffer }[];
  /** Ends of the output in states, which a viewer gets instead of bytes that it is too far behind to be sent. */
  states: number[];
  blocks: Block[];
}

/** Views the terminal as a window does, and collects all bytes and blocks that it gets. */
function look(api: CoreConnection['api'], id: string): Shown {
  const shown: Shown = { pieces: [], states: [], blocks: [] };
  const onError = (): void => undefined; // the test kills the core
  api.terminal.stream.subscribe(
    { id, viewerId: 'v' },
    {
      onData: (item) => {
        if (item.type !== 'bytes' && item.type !== 'state') return;
        const bytes = item.type === 'bytes' ? Buffer.from(item.data, 'base64') : Buffer.alloc(0);
        if (item.type === 'bytes') shown.pieces.push({ offset: item.offset, bytes });
        else shown.states.push(item.offset);
        api.terminal.ack.mutate({ id, viewerId: 'v', offset: item.offset + bytes.length }).catch(onError);
      },
      onError,
    },
  );
  api.block.onChange.subscribe(
    { terminalId: id },
    { onData: (change) => void ('block' in change && shown.blocks.push(change.block)), onError },
  );
  return shown;
}

async function print(api: CoreConnection['api'], id: string, command: string): Promise<void> {
  while (!(await api.terminal.submit.mutate({ id, text: command })).ok) await sleep(20);
}

test.each(Array.from({ length: RUNS }, (_, run) => run))(
  'a kill -9 takes nothing that a viewer was shown (run %i)',
  async (run) => {
    await app.start();
    const connection = connectTo(app.home);
    const lost = new Promise<void>((resolve) => void connection.lost.catch(() => undefined).finally(resolve));
    const { id } = await connection.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
    const shown = look(connection.api, id);
    await print(connection.api, id, PRINTING[run % PRINTING.length] ?? '');
    const count = () => shown.pieces.length + shown.states.length;
    while (!shown.blocks.some(({ status }) => status === 'running') || count() < 20) await sleep(5);
    await sleep(Math.random() * 400);
    await app.crash();
    await lost; // everything in transit has arrived
    connection.dispose();
    const folder = new SessionFolder(app.home, id);
    const raw = existsSync(folder.raw) ? readFileSync(folder.raw) : Buffer.alloc(0);
    for (const { offset, bytes } of shown.pieces)
      expect(raw.subarray(offset, offset + bytes.length).equals(bytes), `${bytes.length} bytes at ${offset}`).toBe(
        true,
      );
    for (const end of shown.states) expect(end).toBeLessThanOrEqual(raw.length);
    const recorded = readFileSync(folder.blocksJsonl, 'utf8');
    for (const block of shown.blocks) expect(recorded).toContain(`${JSON.stringify(block)}\n`);
  },
  60_000,
);
