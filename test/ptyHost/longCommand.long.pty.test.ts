import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { findProgram } from '../machines/rig/findProgram.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';

const LINES = 1_400_000;
const PRINTED = { timeout: 300_000, interval: 500 };
const TEXT_OF = (n: number) =>
  `${String(n).padStart(9, '0')} GET /api/items 200 in 12 ms, a line of a server that runs for days`;
/** Prints all lines, and its last one on a key. */
const PROGRAM = `python3 -c '
import sys
for at in range(0, ${LINES}, 1000):
    sys.stdout.write("".join("%09d GET /api/items 200 in 12 ms, a line of a server that runs for days\\n" % n for n in range(at, at + 1000)))
sys.stdout.flush()
sys.stdin.readline()
print("the end of " + "it all")
'`;

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test.skipIf(findProgram('python3') === null)(
  'a new core keeps the text of a command that has printed 100 MB, and reads only its end again',
  async () => {
    const app = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
    onTestFinished(async () => {
      await app.run('serve', 'stop', '--force');
      await app.dispose();
    });
    await app.start();
    let connection = connectTo(app.home);
    const { id } = await connection.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
    await soon(async () => (await connection.api.terminal.submit.mutate({ id, text: PROGRAM })).ok).toBe(true);
    const block = async () => (await connection.api.block.page.query({ terminalId: id, limit: 1 })).blocks[0];
    await expect.poll(async () => (await block())?.outputLines, PRINTED).toBeGreaterThanOrEqual(LINES);
    const { id: blockId = '', rawStart = 0 } = (await block()) ?? {};
    const folder = new SessionFolder(app.home, id);
    expect(statSync(folder.raw).size).toBeGreaterThan(100_000_000);
    const before = statSync(folder.out(blockId));
    connection.dispose();

    await app.killCore();
    await app.start();
    connection = connectTo(app.home);
    await expect.poll(async () => (await block())?.outputLines, PRINTED).toBeGreaterThanOrEqual(LINES);
    const after = statSync(folder.out(blockId));
    expect([after.ino, after.size, after.mode & 0o777]).toEqual([before.ino, before.size, 0o600]);
    await connection.api.terminal.write.mutate({ id, data: '\r', writer: 'test', number: 0 });
    await expect.poll(async () => (await block())?.status, PRINTED).toBe('completed');

    const ended = await block();
    const expected = [...Array.from({ length: LINES }, (_, n) => TEXT_OF(n)), '', 'the end of it all', ''].join('\n');
    expect(ended).toMatchObject({ id: blockId, rawStart, outputLines: LINES + 2, exitCode: 0 });
    expect(sha256(readFileSync(folder.out(blockId)))).toBe(sha256(expected));
    const from = LINES - 5;
    const { lines } = await connection.api.block.lines.query({ terminalId: id, blockId, from, count: 7 });
    const texts = lines.map(({ spans }) => spans.map(({ text }) => text).join(''));
    expect(texts).toEqual([...[5, 4, 3, 2, 1].map((n) => TEXT_OF(LINES - n)), '', 'the end of it all']);
    connection.dispose();
  },
  15 * 60_000,
);
