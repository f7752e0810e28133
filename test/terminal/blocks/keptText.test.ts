import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import { reopenTerminal } from '../../../src-main/store/record/reopen.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { BlockMemory } from '../../../src-main/terminal/blocks/BlockMemory.ts';
import { OpenBlock } from '../../../src-main/terminal/blocks/OpenBlock.ts';
import { systemClock } from '../../../src-main/util/Clock.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { begun, jsonLines } from '../../store/records.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';

const folder = new SessionFolder(suiteFolder('keptText'), 't1');
const deps = { log: silentLog, clock: systemClock };
const BLOCK: Block = begun(1, { cols: 80 });
const RAW = Buffer.from('\x1b[31mred é\r\nover\rprinted\tx\r\n'.repeat(2500));

/** Feeds `raw` in pieces of `length` bytes; returns the lines that the block counts before its end. */
async function feed(block: OpenBlock, raw: Uint8Array, length: number): Promise<number> {
  for (let at = 0; at < raw.length; at += length) block.append(raw.subarray(at, at + length));
  const { lines } = block;
  await block.end();
  return lines;
}

const files = () => [folder.out('b1'), folder.idx('b1')].map((path) => readFileSync(path, 'utf8'));

test.each([7, 37, 4096, RAW.length])(
  'a text that a kill cut anywhere is completed from pieces of %i bytes as if nothing had happened',
  async (length) => {
    rmSync(folder.root, { recursive: true, force: true });
    mkdirSync(folder.blocksDir, { recursive: true });
    writeFileSync(folder.blocksJsonl, jsonLines([BLOCK]));
    const lines = await feed(new OpenBlock(BLOCK, folder, deps), RAW, 1000);
    const whole = files();
    for (const cut of [0, 1, 9_000, 20_000]) {
      truncateSync(folder.out('b1'), Buffer.byteLength(whole[0] ?? '') - cut);
      const { kept } = await reopenTerminal(folder, { start: 10, from: 50, nowMs: 0, log: silentLog });
      expect(kept?.id).toBe('b1');
      const open = new OpenBlock(BLOCK, folder, { ...deps, kept: kept?.index });
      expect(open.lines).toBe(0); // the block has read nothing yet
      expect(await feed(open, RAW, length)).toBe(lines);
      expect(files()).toEqual(whole);
    }
  },
);

test('a block that comes again keeps the width that its screen had', () => {
  const memory = new BlockMemory([], [BLOCK]);
  expect(memory.begun({ ...BLOCK, id: 'b1-new', cols: 132 })).toMatchObject({ id: 'b1', cols: 80 });
});

test('a block that comes again keeps the name of the shell in it, which may have ended since', () => {
  const memory = new BlockMemory([], [{ ...BLOCK, nested: 'ssh' }]);
  expect(memory.begun({ ...BLOCK, id: 'b1-new' })).toMatchObject({ id: 'b1', nested: 'ssh' });
});
