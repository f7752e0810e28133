import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { runCommand, TestCore } from '../support/TestCore.ts';

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('the record of a real shell', () => {
  let test_: TestCore;
  let terminal: PtyInstance;
  let folder: SessionFolder;

  beforeAll(async () => {
    test_ = await TestCore.start();
    terminal = await test_.open();
    folder = new SessionFolder(test_.dataFolder, terminal.id);
  });

  afterAll(() => test_.dispose());

  /** Runs a command; resolves with its block's bytes in output.raw. */
  async function rawOf(cmd: string): Promise<Buffer> {
    const block = await runCommand(terminal, cmd);
    return readFileSync(folder.raw).subarray(block.rawStart, block.rawEnd ?? 0);
  }

  test('holds what a program prints right before it ends, whatever the size', async () => {
    for (const size of [1, 4095, 4096, 4097, 20_480, 65_536, 300_000]) {
      const path = join(test_.home, `${size}.txt`);
      writeFileSync(path, 'x'.repeat(size));
      expect((await rawOf(`cat ${path}`)).length).toBe(size);
    }
  });

  test('text and lines of a block follow from its bytes', async () => {
    const block = await runCommand(terminal, 'seq 1 100000');
    expect(block.outputLines).toBe(100_000);
    expect(readFileSync(folder.out(block.id), 'utf8')).toBe(
      Array.from({ length: 100_000 }, (_, n) => `${n + 1}\n`).join(''),
    );
    const { lines } = await terminal.book.reader.lines(block.id, 73_210, 2);
    expect(lines.map(({ n, spans }) => [n, spans.map(({ text }) => text).join('')])).toEqual([
      [73_210, '73211'],
      [73_211, '73212'],
    ]);
  });

  test('a 40 MB flood is complete, and its lines are counted', async () => {
    const block = await runCommand(terminal, `yes 'the quick brown fox jumps over the lazy dog' | head -c 40000000`);
    const line = 'the quick brown fox jumps over the lazy dog\r\n';
    const bytes = readFileSync(folder.raw).subarray(block.rawStart, block.rawEnd ?? 0);
    // The program prints 44 bytes a line; the terminal's ONLCR makes them 45.
    expect(bytes.length).toBe(40_000_000 + Math.floor(40_000_000 / 44));
    expect(bytes.subarray(0, line.length * 3).toString()).toBe(line.repeat(3));
    expect(block.outputLines).toBe(Math.ceil(40_000_000 / 44));
  });

  test('one line of 100 MB is complete, and a window at its end costs a window', async () => {
    const block = await runCommand(terminal, "head -c 100000000 /dev/zero | tr '\\0' x; echo");
    expect(block).toMatchObject({ outputBytes: 100_000_002, outputLines: 1, exitCode: 0 });
    const hash = createHash('sha256');
    for (let n = 0; n < 100; n++) hash.update('x'.repeat(1_000_000));
    const raw = readFileSync(folder.raw);
    expect(sha256(raw.subarray(block.rawStart, block.rawStart + 100_000_000))).toBe(hash.digest('hex'));
    expect(statSync(folder.out(block.id)).size).toBe(100_000_001);
  }, 120_000);

  test('a hundred resizes in the middle of output change nothing in the record', async () => {
    const running = runCommand(terminal, 'seq 1 200000');
    for (let n = 0; n < 100; n++) {
      terminal.resize({ cols: 2 + ((n * 37) % 200), rows: 2 + ((n * 13) % 60) });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    terminal.resize({ cols: 120, rows: 40 });
    const block = await running;
    const expected = Array.from({ length: 200_000 }, (_, n) => `${n + 1}\r\n`).join('');
    expect(sha256(readFileSync(folder.raw).subarray(block.rawStart, block.rawEnd ?? 0))).toBe(
      sha256(Buffer.from(expected)),
    );
    expect(block.outputLines).toBe(200_000);
  });

  test('nothing of the nonce is anywhere on disk', async () => {
    await runCommand(terminal, 'set; declare -p; env');
    const nonce = /Zj[0-9a-f]{32}/;
    for (const path of [folder.raw, folder.blocksJsonl, folder.events, folder.meta])
      expect(readFileSync(path, 'latin1')).not.toMatch(nonce);
  });

  test('holds arbitrary binary output byte for byte', async () => {
    // Random bytes contain queries. Their answers are input, which the tty would echo into the output without `-echo`.
    const own = await test_.open();
    const path = join(test_.home, 'random.bin');
    const bytes = randomBytes(3_000_000);
    writeFileSync(path, bytes);
    const { rawStart, rawEnd } = await runCommand(own, `(stty raw -echo; cat ${path}; stty -raw)`);
    const raw = readFileSync(new SessionFolder(test_.dataFolder, own.id).raw).subarray(rawStart, rawEnd ?? 0);
    expect(sha256(raw)).toBe(sha256(bytes));
  });
});
