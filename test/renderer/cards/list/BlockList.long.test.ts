import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlockChange } from '../../../../src-main/contract/api.ts';
import type { Block } from '../../../../src-main/contract/block.ts';
import { BlockList } from '../../../../src-renderer/cards/list/BlockList.svelte.ts';
import { fakeRpc } from '../../support/fakeRpc.ts';
import { aBlock } from '../aBlock.ts';

/** A terminal with recorded blocks. `say` reports a change as the core does. */
function setUp(recorded: Block[], terminalId = 't1') {
  let say: (change: BlockChange) => void = () => undefined;
  const { rpc, calls } = fakeRpc({
    'block.page': ({ beforeSeq = Number.POSITIVE_INFINITY, limit }: { beforeSeq?: number; limit: number }) => {
      const older = recorded.filter(({ seq }) => seq < beforeSeq);
      return { blocks: older.slice(-limit), more: older.length > limit };
    },
    'block.dividers': () => [],
    'block.onChange': (listen: (change: BlockChange) => void) => {
      say = listen;
      return () => undefined;
    },
    'block.lines': ({ from, count }: { from: number; count: number }) => {
      const total = 5;
      const start = from < 0 ? Math.max(0, total + from) : from;
      const n = Array.from({ length: Math.max(0, Math.min(count, total - start)) }, (_, at) => start + at);
      return { lines: n.map((at) => ({ n: at, spans: [] })), total, exact: true };
    },
  });
  const list = new BlockList(terminalId, rpc);
  return { list, calls, say: (change: BlockChange) => say(change) };
}

const OF_MACHINE = 'on-abcdef-t1';
const seqs = (list: BlockList) => list.blocks.map(({ seq }) => seq);
const settled = () => new Promise((resolve) => setImmediate(resolve));
const range = (count: number) => Array.from({ length: count }, (_, at) => aBlock({ seq: at + 1 }));

describe('BlockList', () => {
  test('shows the newest page, and older ones when asked', async () => {
    const { list } = setUp(range(1500));
    list.start();
    await settled();
    expect([list.blocks.length, list.blocks[0]?.seq, list.hasOlder]).toEqual([200, 1301, true]);
    await list.loadOlder();
    await list.loadOlder();
    expect([list.blocks.length, list.blocks[0]?.seq, list.hasOlder]).toEqual([1500, 1, false]);
    await list.loadOlder();
    expect(list.blocks.length).toBe(1500);
  });

  test('when it is shown again it has its cards at once, then those that came meanwhile, without a hole', async () => {
    const recorded = range(10);
    const { list } = setUp(recorded);
    list.start()();
    await settled();
    for (const [count, first] of [
      [150, 1],
      [900, 701],
    ] as const) {
      const before = seqs(list);
      recorded.splice(0, Number.POSITIVE_INFINITY, ...range(count));
      list.start()();
      expect(seqs(list)).toEqual(before);
      await settled();
      expect(seqs(list)).toEqual(Array.from({ length: count - first + 1 }, (_, at) => first + at));
      expect(list.hasOlder).toBe(first > 1);
    }
  });

  test('when it is shown again it reads older cards again, because they may have changed meanwhile', async () => {
    const recorded = range(500);
    const { list, say } = setUp(recorded);
    const stop = list.start();
    await settled();
    await list.loadOlder();
    expect(seqs(list)).toHaveLength(500);
    stop();
    recorded[9] = aBlock({ seq: 10, cmd: 'changed' });
    list.start();
    say({ type: 'open', block: aBlock({ seq: 501 }) });
    await settled();
    expect(seqs(list)).toEqual(Array.from({ length: 201 }, (_, at) => 301 + at));
    await list.loadOlder();
    expect(list.blocks.find(({ seq }) => seq === 10)?.cmd).toBe('changed');
    recorded.splice(0); // all of them were removed
    list.start();
    await settled();
    expect(seqs(list)).toEqual([]);
  });

  test('what ended while it was not shown has its whole output', async () => {
    const recorded = [aBlock({ seq: 1, status: 'running', exitCode: null, outputLines: 2 })];
    const { list, calls } = setUp(recorded);
    list.start()();
    await settled();
    list.output(recorded[0] as Block).want();
    await settled();
    const asked = () => calls.filter(([name]) => name === 'block.lines').length;
    const before = asked();
    recorded.splice(0, 1, aBlock({ seq: 1, outputLines: 9 }));
    list.start()();
    await settled();
    expect(asked()).toBe(before + 1);
  });

  test('what an event tells while a page is on its way is newer than the page', async () => {
    const { list, say } = setUp([aBlock({ seq: 1, status: 'running', exitCode: null })]);
    list.start();
    say({ type: 'close', block: aBlock({ seq: 1, exitCode: 3 }) });
    await settled();
    expect(list.get('b1')).toMatchObject({ status: 'completed', exitCode: 3 });
  });

  test('in whatever order blocks are told of, they stand by seq and the last word counts', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(99)), { maxLength: 60 }), (events) => {
        const { list } = setUp([]);
        for (const [seq, exitCode] of events) list.apply({ type: 'change', block: aBlock({ seq, exitCode }) });
        const last = new Map(events);
        const wanted = [...last].sort(([a], [b]) => a - b);
        expect(list.blocks.map(({ seq, exitCode }) => [seq, exitCode])).toEqual(wanted);
      }),
    );
  });

  test('live counters count until the block has ended, then its record does', () => {
    const { list } = setUp([]);
    const running = aBlock({ seq: 2, status: 'running', exitCode: null });
    list.apply({ type: 'close', block: aBlock({ seq: 1, outputLines: 10 }) });
    list.apply({ type: 'open', block: running });
    list.apply({ type: 'output', blockId: 'b2', outputBytes: 70, outputLines: 7 });
    expect([list.counters(running).outputLines, list.totalLines, list.running?.id]).toEqual([7, 17, 'b2']);
    list.apply({ type: 'close', block: aBlock({ seq: 2, outputLines: 8 }) });
    expect([list.totalLines, list.running]).toEqual([18, undefined]);
  });

  test('output of a background job does not take the live terminal', () => {
    const { list } = setUp([]);
    list.apply({ type: 'open', block: aBlock({ seq: 1, status: 'running', exitCode: null }) });
    list.apply({ type: 'open', block: aBlock({ seq: 2, status: 'running', exitCode: null, kind: 'background' }) });
    expect(list.running?.id).toBe('b1');
  });

  test('the lines of a block are read once, and again when it has ended or its screen was drawn', async () => {
    const { list, calls } = setUp([]);
    const block = aBlock({ seq: 1, outputLines: 5 });
    const reads = () => calls.filter(([name]) => name === 'block.lines').length;
    list.apply({ type: 'close', block });
    list.output(block).want();
    list.output(block).want();
    await settled();
    expect([reads(), list.output(block).isReady]).toEqual([1, true]);
    list.apply({ type: 'change', block: { ...block, bookmarked: true } });
    await settled();
    expect(reads()).toBe(1);
    list.apply({ type: 'change', block: { ...block, outputLines: 40 } });
    await settled();
    expect(reads()).toBe(2);
  });

  test('the cursor walks card by card and stays at the ends', () => {
    const { list } = setUp([]);
    for (const block of range(3)) list.apply({ type: 'close', block });
    const walked = [-1, -1, -1, -1, 1].map((by) => list.walk(by as 1 | -1)?.seq);
    expect(walked).toEqual([3, 2, 1, 1, 2]);
  });

  test('a block that is not loaded is looked for in the past', async () => {
    const { list } = setUp(range(2500));
    list.start();
    await settled();
    expect((await list.find('b7'))?.seq).toBe(7);
    expect(await list.find('nowhere')).toBeUndefined();
  });

  test('a fold is told to the core, which keeps it', () => {
    const { list, calls } = setUp([]);
    list.setFolded('b1', true);
    expect([list.folded.has('b1'), calls.at(-1)]).toEqual([
      true,
      ['workspace.setFolded', { terminalId: 't1', blockId: 'b1', folded: true }],
    ]);
  });

  test('a full-screen program folds when it ends, unless a shell within ran it, and stays open once opened', () => {
    const { list } = setUp([]);
    const vim = aBlock({ seq: 1, usedAltScreen: true });
    const running = aBlock({ seq: 2, usedAltScreen: true, status: 'running' });
    const ssh = aBlock({ seq: 3, usedAltScreen: true, nested: 'ssh' });
    const look = () => [vim, running, ssh, aBlock({ seq: 4 })].map((block) => list.isFolded(block));
    expect(look()).toEqual([true, false, false, false]);
    list.setFolded(vim.id, false);
    expect(look()).toEqual([false, false, false, false]);
    list.setFolded(vim.id, true);
    expect(look()).toEqual([true, false, false, false]);
  });

  test('a core that does not answer is said, and asking again can help', async () => {
    let isLost = true;
    const { rpc } = fakeRpc({
      'block.page': () => {
        if (isLost) throw new Error('the connection is lost');
        return { blocks: range(2), more: false };
      },
      'block.dividers': () => [],
    });
    const list = new BlockList('t1', rpc);
    list.start();
    await settled();
    expect([list.isKnown, list.fault]).toEqual([false, 'the connection is lost']);
    isLost = false;
    await list.reload();
    expect([list.isKnown, list.fault, seqs(list)]).toEqual([true, null, [1, 2]]);
  });

  test('a block that a machine moves has one card', () => {
    const { list } = setUp([]);
    for (const seq of [2, 7, 4]) list.apply({ type: 'close', block: aBlock({ seq, id: 'moved' }) });
    list.apply({ type: 'close', block: aBlock({ seq: 5 }) });
    expect(list.blocks.map(({ id, seq }) => [id, seq])).toEqual([
      ['moved', 4],
      ['b5', 5],
    ]);
  });

  test('of a terminal here, all cards that the person has loaded stay', async () => {
    const { list, say } = setUp(range(20_500));
    list.start();
    await settled();
    while (list.hasOlder) await list.loadOlder();
    say({ type: 'close', block: aBlock({ seq: 20_501 }) });
    expect([list.blocks.length, list.hasOlder]).toEqual([20_501, false]);
  });

  test('a flood of commands of another machine unloads the oldest, which can be read again', () => {
    const { list } = setUp([], OF_MACHINE);
    for (let seq = 1; seq <= 20_100; seq += 1) list.apply({ type: 'close', block: aBlock({ seq }) });
    expect([list.blocks.length <= 20_000, list.blocks.at(-1)?.seq, list.hasOlder]).toEqual([true, 20_100, true]);
    const cmd = 'x'.repeat(1_000_000);
    for (let seq = 20_101; seq <= 20_200; seq += 1) list.apply({ type: 'close', block: aBlock({ seq, cmd }) });
    expect([list.blocks.length < 40, list.blocks.at(-1)?.seq]).toEqual([true, 20_200]);
  });

  test('counters of blocks that do not exist are not kept without end', () => {
    const { list } = setUp([], OF_MACHINE);
    for (let n = 0; n < 1_000; n += 1) list.apply({ type: 'output', blockId: `x${n}`, outputBytes: 1, outputLines: 1 });
    expect(list.totalLines).toBeLessThanOrEqual(100);
  });
});
