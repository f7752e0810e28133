import { describe, expect, test } from 'vitest';
import type { StyledLine } from '../../../../src-main/contract/block.ts';
import { BlockOutput } from '../../../../src-renderer/cards/output/BlockOutput.svelte.ts';
import { CHUNK_LINES } from '../../../../src-renderer/cards/output/lineWindow.ts';

const REF = { terminalId: 't1', blockId: 'b1' };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A block of `total` lines, each with its number as text. `asked` has the reads as from+count. */
function setUp(total: number) {
  const asked: string[] = [];
  const core = { total, isDown: false };
  const lines = async ({ from, count }: { from: number; count: number }) => {
    asked.push(`${from}+${count}`);
    if (core.isDown) throw new Error('lost');
    const start = from < 0 ? Math.max(0, core.total + from) : from;
    const length = Math.max(0, Math.min(count, core.total - start));
    const found = Array.from({ length }, (_, at): StyledLine => ({ n: start + at, spans: [] }));
    return { lines: found, total: core.total, exact: true };
  };
  return { output: new BlockOutput({ lines }, REF, total), asked, core };
}

const ns = (lines: readonly StyledLine[] | undefined) => [lines?.at(0)?.n, lines?.at(-1)?.n];

describe('BlockOutput', () => {
  test('a short output is one question', async () => {
    const { output, asked } = setUp(7);
    output.want();
    await settled();
    expect([asked.length, ns(output.head), output.isReady]).toEqual([1, [0, 6], true]);
  });

  test('of a long one the ends are read, nothing between', async () => {
    const { output, asked } = setUp(1_000_000);
    output.want();
    await settled();
    expect([asked.length, output.head[0]?.n, ns(output.tail), output.total]).toEqual([
      2,
      0,
      [999_988, 999_999],
      1_000_000,
    ]);
  });

  test('a chunk is asked for once, and given as it is numbered', async () => {
    const { output, asked } = setUp(1000);
    output.wantChunks([3, 4]);
    output.wantChunks([4, 5]);
    await settled();
    expect(asked).toEqual(['300+100', '400+100', '500+100']);
    expect(ns(output.chunk(4))).toEqual([400, 499]);
  });

  test('however far a reader goes, the lines kept are bounded and those around them are there', async () => {
    const { output } = setUp(1_000_000);
    for (let first = 0; first < 2000; first += 20) {
      output.wantChunks(Array.from({ length: 20 }, (_, at) => first + at));
      await settled();
    }
    const kept = Array.from({ length: 2000 }, (_, index) => index).filter((index) => output.chunk(index));
    expect(kept.length).toBeLessThanOrEqual(120);
    expect(kept.slice(-20)).toEqual(Array.from({ length: 20 }, (_, at) => 1980 + at));
    expect(kept.length * CHUNK_LINES).toBeLessThan(20_000);
  });

  test('an answer to an earlier question does not undo a refresh', async () => {
    const { output, core } = setUp(3);
    output.want();
    core.total = 9;
    output.refresh(9);
    await settled();
    expect([output.total, ns(output.head)]).toEqual([9, [0, 8]]);
  });

  test('what cannot be read says why, and is asked for again at the next look', async () => {
    const { output, core } = setUp(3);
    core.isDown = true;
    output.want();
    await settled();
    expect([output.isReady, output.fault]).toEqual([false, 'lost']);
    core.isDown = false;
    output.want();
    await settled();
    expect([output.isReady, output.fault]).toEqual([true, null]);
  });
});
