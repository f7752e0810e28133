import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reopenTerminal } from '../../../src-main/store/record/reopen.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { begun, ended, jsonLines } from '../records.ts';
import { suiteFolder } from '../suiteFolder.ts';

const folder = new SessionFolder(suiteFolder('reopen'), 't1');
const HEADER = { version: 1, source: 'raw' };
const ENTRIES = [
  { line: 1024, out: 3000, src: 3100, sgr: '' },
  { line: 2048, out: 6000, src: 6100, sgr: '\x1b[31m' },
];
const TEXT = 'ab\n'.repeat(2200);

async function kept(files: { blocks?: unknown[]; out?: string | Buffer; idx?: string }) {
  rmSync(folder.root, { recursive: true, force: true });
  mkdirSync(folder.blocksDir, { recursive: true });
  writeFileSync(folder.blocksJsonl, jsonLines(files.blocks ?? [begun(1)]));
  writeFileSync(folder.out('b1'), files.out ?? TEXT);
  writeFileSync(folder.idx('b1'), files.idx ?? jsonLines([HEADER, ...ENTRIES]));
  return (await reopenTerminal(folder, { start: 10, from: 50, nowMs: 0, log: silentLog })).kept;
}

describe('the text of a running command', () => {
  test('is kept up to the last entry of its index, and the rest is cut', async () => {
    const torn = `${jsonLines([HEADER, ...ENTRIES])}{"line":30`;
    expect(await kept({ idx: torn })).toEqual({ id: 'b1', index: ENTRIES });
    expect(readFileSync(folder.out('b1'), 'utf8')).toBe(TEXT.slice(0, 6000));
    expect(readFileSync(folder.idx('b1'), 'utf8')).toBe(jsonLines([HEADER, ...ENTRIES]));
  });

  test('is kept up to an earlier entry if it ends before the last one', async () => {
    expect(await kept({ out: TEXT.slice(0, 5999) })).toEqual({ id: 'b1', index: ENTRIES.slice(0, 1) });
    expect(readFileSync(folder.out('b1'), 'utf8')).toBe(TEXT.slice(0, 3000));
    expect(readFileSync(folder.idx('b1'), 'utf8')).toBe(jsonLines([HEADER, ENTRIES[0]]));
  });

  test.each([
    ['has a hole', { out: Buffer.concat([Buffer.from(TEXT.slice(0, 3500)), Buffer.alloc(3000)]) }],
    ['ends before the first entry', { out: 'ab\n' }],
    ['has no index', { idx: '' }],
    ['has no entry at which reading can start', { idx: jsonLines([HEADER, { ...ENTRIES[0], line: 1030 }]) }],
    ['was rendered', { idx: jsonLines([{ ...HEADER, source: 'ren' }, ...ENTRIES]) }],
    ['belongs to a command that has ended', { blocks: [begun(1), ended(1)] }],
    ['belongs to a shell without marks', { blocks: [begun(1, { kind: 'session' })] }],
  ])('is removed if it %s', async (_, files) => {
    expect(await kept(files)).toBeNull();
    expect([existsSync(folder.out('b1')), existsSync(folder.idx('b1'))]).toEqual([false, false]);
  });
});

describe('a block that begins where the shell starts', () => {
  const atStart = { rawStart: 100, rawEnd: 100, outputBytes: 0 };

  test.each([
    [
      'is kept if it is the last command of an earlier shell, which printed nothing',
      ended(2, atStart),
      ['b1', 'b2'],
      3,
    ],
    [
      'is made again if it is the session of this shell, without marks',
      begun(2, { kind: 'session', rawStart: 100 }),
      ['b1'],
      2,
    ],
  ])('%s', async (_, block, blocks, nextSeq) => {
    mkdirSync(folder.blocksDir, { recursive: true });
    writeFileSync(
      folder.blocksJsonl,
      jsonLines([ended(1, { rawStart: 60, rawEnd: 100 }), block, begun(3, { rawStart: 180 })]),
    );
    const reopened = await reopenTerminal(folder, { start: 100, from: 100, nowMs: 0, log: silentLog });
    expect(reopened.blocks.map(({ id }) => id)).toEqual(blocks);
    expect(reopened.nextSeq).toBe(nextSeq);
  });
});
