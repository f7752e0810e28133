import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InFlight } from '../../src-main/util/InFlight.ts';
import { KeyedQueue } from '../../src-main/util/KeyedQueue.ts';
import { SerialQueue } from '../../src-main/util/SerialQueue.ts';

describe('SerialQueue', () => {
  test('runs every job, one at a time and in order, whichever of them fail, and settles each caller with its own result (law)', async () => {
    const job = fc.record({
      turns: fc.nat(5),
      fails: fc.constantFrom<'no' | 'throws' | 'rejects'>('no', 'throws', 'rejects'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(job, { maxLength: 20 }), async (jobs) => {
        const queue = new SerialQueue();
        const ran: string[] = [];
        const ends = jobs.map(({ turns, fails }, n) =>
          queue.run(() => {
            ran.push(`begin ${n}`);
            if (fails === 'throws') throw new Error(`${n}`);
            return (async () => {
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              ran.push(`end ${n}`);
              if (fails === 'rejects') throw new Error(`${n}`);
              return n;
            })();
          }),
        );
        const idle = queue.idle().then(() => ran.push('idle'));
        const settled = await Promise.allSettled(ends);
        await idle;
        expect(settled.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual(
          jobs.map(({ fails }, n) => (fails === 'no' ? n : `${n}`)),
        );
        expect(ran).toEqual([
          ...jobs.flatMap(({ fails }, n) => (fails === 'throws' ? [`begin ${n}`] : [`begin ${n}`, `end ${n}`])),
          'idle',
        ]);
      }),
    );
  });
});

describe('KeyedQueue', () => {
  test('keeps the order within a key, and no key waits for another', async () => {
    const queue = new KeyedQueue();
    const ran: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const first = queue.run('a', async () => {
      await gate;
      ran.push('a1');
      throw new Error('refused');
    });
    const second = queue.run('a', () => ran.push('a2'));
    await queue.run('b', () => ran.push('b1'));
    open();
    await expect(first).rejects.toThrow('refused');
    await second;
    expect(ran).toEqual(['b1', 'a1', 'a2']);
  });
});

describe('InFlight', () => {
  test('returns the pending promise to later callers and runs again after it settles, also after a failure', async () => {
    const work = new InFlight<number>();
    let runs = 0;
    const run = (): Promise<number> =>
      work.run('a', async () => {
        runs += 1;
        await Promise.resolve();
        if (runs === 1) throw new Error('refused');
        return runs;
      });
    const [one, other] = [run(), run()];
    expect([work.keys, one === other]).toEqual([['a'], true]);
    await expect(one).rejects.toThrow('refused');
    expect([await run(), work.of('a')]).toEqual([2, null]);
  });
});
