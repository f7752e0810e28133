import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readMeta } from '../../../src-main/store/record/readMeta.ts';
import { recoverTerminal } from '../../../src-main/store/record/recover.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { begun, ended, jsonLines } from '../records.ts';
import { suiteFolder } from '../suiteFolder.ts';

const data = suiteFolder('recover');
const META = {
  version: 1,
  id: 't1',
  shell: 'bash',
  argv: ['bash'],
  cwd: '/w',
  cols: 80,
  rows: 24,
  createdMs: 5,
  title: '',
};
const options = { nowMs: 7_000, log: silentLog };

/** Writes a terminal's folder as after a crash. Replaces the folder of the previous test. */
function leave(files: { meta?: unknown; raw?: number; blocks?: string | Buffer; events?: string }): SessionFolder {
  const folder = new SessionFolder(data, 't1');
  rmSync(folder.root, { recursive: true, force: true });
  mkdirSync(folder.blocksDir, { recursive: true });
  if (files.meta !== null) writeFileSync(folder.meta, JSON.stringify(files.meta ?? META));
  if (files.raw !== undefined) writeFileSync(folder.raw, Buffer.alloc(files.raw, 'r'));
  if (files.blocks !== undefined) writeFileSync(folder.blocksJsonl, files.blocks);
  if (files.events !== undefined) writeFileSync(folder.events, files.events);
  return folder;
}

function eventsOf(folder: SessionFolder): { type: string }[] {
  const text = readFileSync(folder.events, 'utf8');
  return z.array(z.looseObject({ type: z.string() })).parse(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

const interrupted = (seq: number, rawEnd: number) =>
  begun(seq, { status: 'interrupted', endedBy: 'recovery', rawEnd, outputBytes: rawEnd - seq * 100 });

describe('recoverTerminal', () => {
  test('changes nothing of a folder that was closed well, twice', async () => {
    const blocks = jsonLines([begun(1), ended(1), begun(2), ended(2)]);
    const folder = leave({ raw: 250, blocks });
    const names = readdirSync(folder.root);
    for (let run = 0; run < 2; run += 1) {
      expect(await recoverTerminal(folder, options)).toEqual({
        meta: META,
        blocks: [ended(1), ended(2)],
        interrupted: [],
        textLost: [],
        rawSize: 250,
        nextSeq: 3,
        notes: [],
      });
    }
    expect([readFileSync(folder.blocksJsonl, 'utf8'), readdirSync(folder.root)]).toEqual([blocks, names]);
  });

  test('closes an open block as interrupted, without claiming an exit code or a time, once', async () => {
    const folder = leave({ raw: 333, blocks: jsonLines([begun(1), ended(1), begun(2)]) });
    writeFileSync(folder.out('b2'), 'one\ntwo\nthr');
    const closed = { ...interrupted(2, 333), outputLines: 3 };
    const first = await recoverTerminal(folder, options);
    expect([first.blocks, first.interrupted, first.nextSeq]).toEqual([[ended(1), closed], [closed], 3]);
    expect(readFileSync(folder.blocksJsonl, 'utf8')).toBe(jsonLines([begun(1), ended(1), begun(2), closed]));
    expect(eventsOf(folder)).toEqual([{ type: 'interrupted', blockId: 'b2', seq: 2, rawEnd: 333, atMs: 7_000 }]);
    const second = await recoverTerminal(folder, options);
    expect([second.blocks, second.interrupted, second.notes]).toEqual([[ended(1), closed], [], []]);
  });

  const whole = Buffer.from(jsonLines([begun(1, { cmd: 'ä💥' }), ended(1), begun(2)]));
  test.each(Array.from({ length: 60 }, (_, at) => Math.round((whole.length * at) / 59)))(
    'torn after byte %i, every whole record survives, the rest is kept aside',
    async (at) => {
      const cut = whole.subarray(0, at);
      const good = cut.lastIndexOf(10) + 1;
      const folder = leave({ raw: 250, blocks: cut });
      const { notes } = await recoverTerminal(folder, options);
      expect(readFileSync(folder.blocksJsonl).subarray(0, good)).toEqual(cut.subarray(0, good));
      const torn = readdirSync(folder.root).filter((name) => name.includes('.torn-'));
      expect(torn).toEqual(good < at ? ['blocks.jsonl.torn-7000'] : []);
      if (good < at) expect(readFileSync(`${folder.blocksJsonl}.torn-7000`)).toEqual(cut.subarray(good));
      expect(notes.some((note) => note.includes('torn bytes'))).toBe(good < at);
      for (const line of readFileSync(folder.blocksJsonl, 'utf8').split('\n').slice(0, -1)) JSON.parse(line);
    },
  );

  test('cuts NULs that a power cut left, without keeping them', async () => {
    const folder = leave({
      raw: 250,
      blocks: Buffer.concat([Buffer.from(jsonLines([begun(1), ended(1)])), Buffer.alloc(5_000)]),
    });
    const { blocks } = await recoverTerminal(folder, options);
    expect(blocks).toEqual([ended(1)]);
    expect(readFileSync(folder.blocksJsonl, 'utf8')).toBe(jsonLines([begun(1), ended(1)]));
    expect(readdirSync(folder.root).filter((name) => name.includes('torn'))).toEqual([]);
    expect(eventsOf(folder)).toEqual([{ type: 'torn', file: 'blocks.jsonl', bytes: 5_000, keptAs: null, atMs: 7_000 }]);
  });

  test('tells torn events in the events themselves', async () => {
    const folder = leave({ raw: 0, events: '{"type":"resize"}\n{"type":"re' });
    await recoverTerminal(folder, options);
    expect(eventsOf(folder)).toEqual([
      { type: 'resize' },
      { type: 'torn', file: 'events.jsonl', bytes: 11, keptAs: 'events.jsonl.torn-7000', atMs: 7_000 },
    ]);
  });

  test('never gives an offset twice: output that blocks tell of and the disk lost becomes a hole', async () => {
    const folder = leave({ raw: 120, blocks: jsonLines([begun(1), ended(1)]) });
    const { rawSize } = await recoverTerminal(folder, options);
    expect([rawSize, statSync(folder.raw).size]).toEqual([150, 150]);
    expect(eventsOf(folder)).toEqual([expect.objectContaining({ type: 'gap', fromOffset: 120, toOffset: 150 })]);
    expect((await recoverTerminal(folder, options)).notes).toEqual([]);
  });

  test('names the texts that are missing, of whatever age: a full disk had refused them', async () => {
    const blocks = [1, 2, 3].map((seq) => ended(seq, { outputLines: 1, endedMs: seq * 3_600_000 }));
    const folder = leave({ raw: 350, blocks: jsonLines(blocks) });
    for (const { id, seq } of blocks) if (seq !== 2) writeFileSync(folder.out(id), 'text\n');
    expect((await recoverTerminal(folder, options)).textLost).toEqual([blocks[1]]);
  });

  test('a folder that died before its first block is whole', async () => {
    const folder = leave({});
    expect(await recoverTerminal(folder, options)).toEqual({
      meta: META,
      blocks: [],
      interrupted: [],
      textLost: [],
      rawSize: 0,
      nextSeq: 1,
      notes: [],
    });
  });

  test('rebuilds a missing meta.json from what there is', async () => {
    const folder = leave({
      meta: null,
      raw: 250,
      blocks: jsonLines([begun(1, { cwd: '/old' }), ended(1, { cwd: '/new' })]),
    });
    const { meta, notes } = await recoverTerminal(folder, options);
    expect(meta).toEqual({ ...META, shell: '', argv: [], cwd: '/new', createdMs: meta.createdMs });
    expect(notes).toEqual(['meta.json was missing and was rebuilt']);
    expect((await recoverTerminal(folder, options)).notes).toEqual([]);
  });

  test('keeps an unreadable meta.json beside the rebuilt one', async () => {
    const folder = leave({ meta: null, raw: 0 });
    writeFileSync(folder.meta, '{"version":1,');
    const { notes } = await recoverTerminal(folder, options);
    const kept = readdirSync(folder.root).filter((name) => name.startsWith('meta.json.bad-'));
    expect(kept.map((name) => readFileSync(`${folder.root}/${name}`, 'utf8'))).toEqual(['{"version":1,']);
    expect(notes).toEqual([expect.stringMatching(/^meta\.json could not be used .* and was rebuilt$/)]);
  });

  test('unreadable marks do not cost the rest of meta.json', async () => {
    const folder = leave({ raw: 0 });
    const marks = { unseen: { bell: 'loud' }, unseenTo: 'here' };
    writeFileSync(folder.meta, JSON.stringify({ ...META, name: 'harbour', hidden: true, ...marks }));
    const { meta, notes } = await readMeta(folder, { cwd: null });
    expect([meta, notes]).toEqual([{ ...META, name: 'harbour', hidden: true }, []]);
  });

  test('a copied folder keeps its meta.json under its own name', async () => {
    const folder = leave({ meta: { ...META, id: 'other' }, raw: 0 });
    const { meta, notes } = await recoverTerminal(folder, options);
    expect([meta, notes]).toEqual([META, ['meta.json named the terminal other; its folder is t1']]);
    expect((await recoverTerminal(folder, options)).notes).toEqual([]);
  });

  test('moves a torn end of 20 MiB aside whole', async () => {
    const torn = Buffer.alloc(20 * 1024 * 1024, 'x');
    const folder = leave({ raw: 250, blocks: Buffer.concat([Buffer.from(jsonLines([begun(1), ended(1)])), torn]) });
    expect((await recoverTerminal(folder, options)).blocks).toEqual([ended(1)]);
    expect(readFileSync(`${folder.blocksJsonl}.torn-7000`).equals(torn)).toBe(true);
  });

  test('removes what a killed process left half-written, and nothing else', async () => {
    const folder = leave({ raw: 0 });
    const names = ['.meta.json.4194305-1.tmp', `.meta.json.${process.pid}-1.tmp`, 'notes.tmp'];
    for (const name of names) writeFileSync(`${folder.root}/${name}`, '{');
    await recoverTerminal(folder, options);
    expect(readdirSync(folder.root).filter((name) => name.endsWith('.tmp'))).toEqual(names.slice(1));
  });

  test('migrates an older meta.json step by step and keeps what it does not know', async () => {
    const folder = leave({ meta: { version: 0, id: 't1', program: 'fish', where: '/w', extra: { kept: true } } });
    const migrations = {
      0: ({ program, where, ...rest }: Record<string, unknown>) => ({
        ...rest,
        shell: program,
        argv: [program],
        cwd: where,
        cols: 80,
        rows: 24,
        createdMs: 5,
      }),
    };
    const expected = { ...META, shell: 'fish', argv: ['fish'], extra: { kept: true } };
    expect(await readMeta(folder, { cwd: null }, migrations)).toEqual({
      meta: expected,
      notes: ['meta.json was migrated from version 0'],
    });
    expect(await readMeta(folder, { cwd: null }, migrations)).toEqual({ meta: expected, notes: [] });
  });

  test('the cost follows the tail: of 60 MB of blocks less than 1 MB is read', async () => {
    const seqs = Array.from({ length: 60_000 }, (_, at) => at + 1);
    const folder = leave({ raw: 6_000_050, blocks: jsonLines(seqs.flatMap((seq) => [begun(seq), ended(seq)])) });
    const before = readBytes();
    const { nextSeq, blocks } = await recoverTerminal(folder, options);
    const cost = readBytes() - before;
    expect([nextSeq, blocks.at(-1)?.seq, cost < 1_000_000, cost > 0]).toEqual([60_001, 60_000, true, true]);
  });
});

/** Number of bytes that this process has read from files so far. */
function readBytes(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}
