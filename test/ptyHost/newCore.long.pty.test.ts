import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { findProgram } from '../machines/rig/findProgram.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { timesOf } from '../support/fuzzRuns.ts';
import { soon } from '../support/soon.ts';

/** Ways to replace a core; a soak has more runs. */
const WAYS = [
  {
    name: 'kills of the core',
    terminals: 4,
    runs: timesOf({ merge: 5, soak: 200 }),
    renew: async (core: BackgroundCore) => {
      await core.killCore();
      await core.start();
    },
  },
  {
    name: 'updates',
    terminals: 2,
    runs: timesOf({ merge: 3, soak: 20 }),
    renew: async (core: BackgroundCore) => {
      const { code, stderr } = await core.run('serve', 'restart');
      expect([code, stderr]).toEqual([0, expect.any(String)]);
    },
  },
];

type Api = CoreConnection['api'];

/** Prints numbered lines at full speed and writes a copy of each to `copy`; after a `.` on its input, prints their number. */
const WRITER = (copy: string) =>
  `python3 -c '
import sys, select, termios, tty
tty.setcbreak(0)
out = open("${copy}", "wb", 0)
n = 0
keys = b""
while b"." not in keys:
    for _ in range(50):
        line = b"line %09d of the busy shell" % n
        n += 1
        out.write(line + b"\\r\\n")
        sys.stdout.buffer.write(line + b"\\n")
    sys.stdout.buffer.flush()
    if select.select([0], [], [], 0.002)[0]:
        keys += __import__("os").read(0, 4096)
open("${copy}.keys", "wb").write(keys)
'`;

async function running(api: Api, terminalId: string): Promise<Block | null> {
  const { blocks } = await api.block.page.query({ terminalId, limit: 1 });
  const [last] = blocks;
  return last?.status === 'running' ? last : null;
}

test.skipIf(findProgram('python3') === null).each(WAYS)(
  '$terminals busy shells live through $runs $name: no byte is lost, no key is typed twice, and each command has one block',
  async ({ terminals: count, runs, renew }) => {
    const app = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
    onTestFinished(async () => {
      await app.run('serve', 'stop', '--force');
      await app.dispose();
    });
    await app.start();
    let connection = connectTo(app.home);
    const terminals: { id: string; copy: string; blockId: string; keys: string; number: number }[] = [];
    for (let n = 0; n < count; n += 1) {
      const { id } = await connection.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
      const copy = join(app.home, `copy-${n}`);
      await soon(async () => (await connection.api.terminal.submit.mutate({ id, text: WRITER(copy) })).ok).toBe(true);
      await soon(async () => (await running(connection.api, id)) !== null).toBe(true);
      await soon(() => existsSync(copy)).toBe(true); // the program reads keys once the file exists
      const blockId = (await running(connection.api, id))?.id ?? '';
      terminals.push({ id, copy, blockId, keys: '', number: 0 });
    }
    for (let run = 0; run < runs; run += 1) {
      for (const terminal of terminals) {
        const key = String.fromCharCode(97 + (run % 26));
        terminal.keys += key;
        const typed = { id: terminal.id, data: key, writer: terminal.id, number: terminal.number };
        await connection.api.terminal.write.mutate(typed);
        terminal.number += 1;
      }
      await sleep(((run * 7919) % 100) * 5); // varies the moment of the kill
      connection.dispose();
      await renew(app);
      connection = connectTo(app.home);
      for (const { id, keys, number } of terminals) {
        // A window without an answer sends its last key again.
        await connection.api.terminal.write.mutate({ id, data: keys.slice(-1), writer: id, number: number - 1 });
      }
      for (const { id, blockId } of terminals)
        await soon(async () => (await running(connection.api, id))?.id).toBe(blockId);
    }
    for (const { id, number } of terminals)
      await connection.api.terminal.write.mutate({ id, data: '.', writer: id, number });
    for (const { id } of terminals) await soon(async () => running(connection.api, id)).toBeNull();
    for (const { id, copy, blockId, keys } of terminals) {
      expect(readFileSync(`${copy}.keys`, 'latin1')).toBe(`${keys}.`);
      const { blocks } = await connection.api.block.page.query({ terminalId: id, limit: 10 });
      expect(blocks.map((block) => [block.id, block.status, block.exitCode])).toEqual([[blockId, 'completed', 0]]);
      const [{ rawStart = 0, rawEnd = 0 } = {}] = blocks;
      const raw = readFileSync(new SessionFolder(app.home, id).raw).subarray(rawStart, rawEnd ?? 0);
      expect(sha256(raw)).toBe(sha256(readFileSync(copy)));
      const out = readFileSync(new SessionFolder(app.home, id).out(blockId));
      expect(sha256(out)).toBe(sha256(Buffer.from(readFileSync(copy, 'latin1').replaceAll('\r', ''), 'latin1')));
      rmSync(copy);
    }
    connection.dispose();
  },
  20 * 60_000,
);

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
