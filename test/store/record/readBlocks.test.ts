import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import { readLinesBackward } from '../../../src-main/store/files/readBackward.ts';
import { readLines } from '../../../src-main/store/files/readJsonLines.ts';
import { readBlocks } from '../../../src-main/store/record/readBlocks.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { begun, ended, jsonLines } from '../records.ts';
import { suiteFolder } from '../suiteFolder.ts';

const folder = new SessionFolder(suiteFolder('blocks'), 't1');
mkdirSync(folder.root, { recursive: true });

/** Lines as a core writes them: begins, ends, and some later changes of any block; a seq may be missing (ephemeral). */
const history = fc
  .array(
    fc.record({
      skip: fc.boolean(),
      hasEnd: fc.boolean(),
      marks: fc.array(fc.nat(40), { maxLength: 2 }),
      long: fc.nat(30_000),
    }),
    {
      maxLength: 40,
    },
  )
  .map((steps) => {
    const lines: Block[] = [];
    const latest = new Map<number, Block>();
    const put = (block: Block): void => {
      lines.push(block);
      latest.set(block.seq, block);
    };
    for (const [at, { skip, hasEnd, marks, long }] of steps.entries()) {
      const seq = at + 1;
      if (skip) continue;
      put(begun(seq, { cmd: 'x'.repeat(long) }));
      if (hasEnd) put(ended(seq));
      for (const mark of marks) {
        const block = latest.get(mark);
        if (!block) continue;
        // A core never writes `running` for a block that another block followed.
        const status = block.status === 'running' && mark !== seq ? 'superseded' : block.status;
        put({ ...block, status, bookmarked: !block.bookmarked });
      }
    }
    const newest = Math.max(0, ...latest.keys());
    const view = (block: Block): Block =>
      block.status === 'running' && block.seq < newest ? { ...block, status: 'unknown_end' } : block;
    return { lines, blocks: [...latest.values()].sort((a, b) => a.seq - b.seq).map(view) };
  });

describe('readBlocks', () => {
  test('gives the newest blocks before a seq in their latest version, as reading the whole file would (law)', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.integer({ min: 1, max: 10 }),
        fc.option(fc.nat(45)),
        async ({ lines, blocks }, limit, beforeSeq) => {
          writeFileSync(folder.blocksJsonl, jsonLines(lines));
          const known = blocks.filter(({ seq }) => beforeSeq === null || seq < beforeSeq);
          const page = await readBlocks(folder, beforeSeq === null ? { limit } : { limit, beforeSeq });
          expect(page.blocks).toEqual(known.slice(-limit));
          expect(page.isFirst).toBe(known.length <= limit);
          expect(page.badLines).toBe(0);
        },
      ),
      fuzzRuns(150),
    );
  });

  test('pages from the end to the beginning without a gap or a repeat', async () => {
    const seqs = Array.from({ length: 500 }, (_, at) => at + 1);
    writeFileSync(folder.blocksJsonl, jsonLines(seqs.flatMap((seq) => [begun(seq), ended(seq)])));
    const seen: number[] = [];
    for (let beforeSeq = 501, isFirst = false; !isFirst; ) {
      const page = await readBlocks(folder, { beforeSeq, limit: 30 });
      seen.unshift(...page.blocks.map(({ seq }) => seq));
      beforeSeq = page.blocks[0]?.seq ?? 0;
      isFirst = page.isFirst;
    }
    expect(seen).toEqual(seqs);
  });

  test('counts damaged lines and reads on behind them', async () => {
    const damaged = `${jsonLines([begun(1), ended(1)])}garbage\n{"id":"b2"}\n${jsonLines([begun(3)])}{"torn`;
    writeFileSync(folder.blocksJsonl, damaged);
    expect(await readBlocks(folder, { limit: 10 })).toEqual({
      blocks: [ended(1), begun(3)],
      badLines: 2,
      isFirst: true,
    });
  });

  test('has nothing to tell of a terminal without blocks', async () => {
    expect(await readBlocks(new SessionFolder(folder.dataFolder, 'none'), { limit: 10 })).toEqual({
      blocks: [],
      badLines: 0,
      isFirst: true,
    });
  });
});

describe('readLinesBackward', () => {
  test('gives the whole lines of a file from the last to the first, with their places (law)', async () => {
    const path = `${folder.root}/lines`;
    const line = fc.oneof(
      fc.constantFrom('', 'a', 'x'.repeat(65_535), 'x'.repeat(65_536), 'y'.repeat(140_000)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'torn'), async (texts, tail) => {
        writeFileSync(path, texts.map((text) => `${text.replaceAll('\n', ' ')}\n`).join('') + tail);
        const forward: string[] = [];
        for await (const { line, isTorn } of readLines(path)) if (!isTorn) forward.push(String(line));
        const backward: string[] = [];
        let end: number | null = null;
        for await (const { line, at } of readLinesBackward(path)) {
          if (end !== null && line) expect(at + line.length + 1).toBe(end);
          end = at;
          backward.unshift(String(line));
        }
        expect(backward).toEqual(forward);
        expect(end ?? 0).toBe(0);
      }),
      fuzzRuns(100),
    );
  });

  test('a line of 20 MiB comes as null, and what stands around it is whole', async () => {
    const path = `${folder.root}/long`;
    writeFileSync(path, `first\n${'x'.repeat(20 * 1024 * 1024)}\nlast\n`);
    const lines: (string | undefined)[] = [];
    for await (const { line } of readLinesBackward(path)) lines.push(line?.toString());
    expect(lines).toEqual(['last', undefined, 'first']);
  });

  test('does not follow a link', async () => {
    const path = `${folder.root}/link`;
    symlinkSync('/etc/passwd', path);
    await expect(readLinesBackward(path).next()).rejects.toThrow('ELOOP');
  });
});
