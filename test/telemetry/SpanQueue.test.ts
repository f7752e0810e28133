import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { SpanRecord } from '../../src-main/contract/telemetry.ts';
import { SpanQueue } from '../../src-main/telemetry/SpanQueue.ts';

const folder = mkdtempSync(join(tmpdir(), 'hansard-queue-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const fresh = () => join(folder, String(++count), 'queue');

function span(id: number, bytes = 10): SpanRecord {
  const hex = id.toString(16);
  return {
    ...{
      traceId: hex.padStart(32, '0'),
      spanId: hex.padStart(16, '0'),
      name: 'invoke_agent x',
      startMs: id,
      endMs: id,
    },
    ...{ attributes: { 'gen_ai.agent.name': 'x'.repeat(bytes) }, error: null },
  };
}

const idsOf = (spans: readonly SpanRecord[] = []) => spans.map(({ startMs }) => startMs);

const hiddenIds = new Set<string>();

async function openQueue(path: string, limit: { bytes: number }) {
  const dropped = { full: 0, unreadable: 0 };
  const queue = await SpanQueue.open({
    folder: path,
    limitBytes: () => limit.bytes,
    isPrivate: (id) => hiddenIds.has(id),
    onDropped: (turns, why) => {
      dropped[why] += turns;
    },
  });
  return { queue, dropped };
}

/** Bytes of all files in a folder, including temporary ones. */
function bytesIn(path: string): number {
  return existsSync(path) ? readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0) : 0;
}

const anyStep = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    id: fc.integer({ min: 1, max: 60 }),
    bytes: fc.integer({ min: 0, max: 30_000 }),
  }),
  fc.record({ kind: fc.constant('send' as const), most: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('limit' as const), bytes: fc.integer({ min: 4_096, max: 90_000 }) }),
  fc.record({ kind: fc.constant('restart' as const) }),
  fc.record({ kind: fc.constant('clear' as const) }),
);

describe('the queue (law)', () => {
  test('stays within its limit, gives the oldest first, and loses only what it says it dropped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const path = fresh();
        const limit = { bytes: 60_000 };
        let { queue, dropped } = await openQueue(path, limit);
        let droppedBefore = 0;
        const known = new Set<number>();
        const gone = { sent: 0, cleared: 0, replaced: 0 };
        let added = 0;
        for (const step of steps) {
          if (step.kind === 'add') {
            const before = queue.turns;
            await queue.add([span(step.id, step.bytes)], 't1');
            added += 1;
            if (known.has(step.id) && idsOf((await queue.oldest(100, 1e9))?.spans).includes(step.id) && before > 0)
              gone.replaced += 1;
            known.add(step.id);
          } else if (step.kind === 'send') {
            const batch = await queue.oldest(step.most, 1e9);
            const all = idsOf((await queue.oldest(100, 1e9))?.spans);
            expect(idsOf(batch?.spans)).toEqual(all.slice(0, step.most));
            expect(all).toEqual([...all].sort((a, b) => a - b));
            for (const id of idsOf(batch?.spans)) known.delete(id);
            gone.sent += batch?.files.length ?? 0;
            await queue.remove(batch?.files ?? []);
          } else if (step.kind === 'limit') {
            limit.bytes = step.bytes;
            await queue.trim();
          } else if (step.kind === 'clear') {
            gone.cleared += queue.turns;
            known.clear();
            await queue.clear();
          } else {
            const waiting = idsOf((await queue.oldest(100, 1e9))?.spans);
            droppedBefore += dropped.full;
            ({ queue, dropped } = await openQueue(path, limit));
            expect(idsOf((await queue.oldest(100, 1e9))?.spans)).toEqual(waiting);
          }
          const left = idsOf((await queue.oldest(100, 1e9))?.spans);
          for (const id of [...known]) if (!left.includes(id)) known.delete(id);
          expect(queue.bytes).toBeLessThanOrEqual(limit.bytes);
          expect(bytesIn(path)).toBeLessThanOrEqual(queue.bytes);
          expect(queue.turns + gone.sent + gone.cleared + gone.replaced + droppedBefore + dropped.full).toBe(added);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test('a turn that is larger than the queue is dropped and counted, and nothing else goes for it', async () => {
  const { queue, dropped } = await openQueue(fresh(), { bytes: 20_000 });
  await queue.add([span(1)], 't1');
  await queue.add([span(2, 50_000)], 't1');
  expect({ turns: queue.turns, ...dropped }).toEqual({ turns: 1, full: 1, unreadable: 0 });
});

test('a version that was added while an earlier one was on its way stays', async () => {
  const { queue } = await openQueue(fresh(), { bytes: 1e6 });
  await queue.add([span(1, 10)], 't1');
  const batch = await queue.oldest(10, 1e6);
  await queue.add([span(1, 20)], 't1');
  await queue.remove(batch?.files ?? []);
  expect((await queue.oldest(10, 1e6))?.spans[0]?.attributes['gen_ai.agent.name']).toHaveLength(20);
});

test.each(['', '{', '{"version":1,"spans":[]}', '{"version":2}', 'null'])(
  'a file that holds %j is dropped and counted; the others are sent',
  async (text) => {
    const path = fresh();
    const first = await openQueue(path, { bytes: 1e6 });
    await first.queue.add([span(7)], 't1');
    writeFileSync(join(path, `${'0'.repeat(15)}-${'a'.repeat(32)}.json`), text);
    const { queue, dropped } = await openQueue(path, { bytes: 1e6 });
    expect(idsOf((await queue.oldest(10, 1e6))?.spans)).toEqual([7]);
    expect({ turns: queue.turns, ...dropped }).toEqual({ turns: 1, full: 0, unreadable: 1 });
  },
);

test('files are for their owner alone, and other files there are left', async () => {
  const path = fresh();
  const { queue } = await openQueue(path, { bytes: 1e6 });
  await queue.add([span(1)], 't1');
  writeFileSync(join(path, 'notes.txt'), 'mine');
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  expect(names.map((name) => statSync(join(path, name)).mode & 0o777)).toEqual([0o600]);
  await queue.clear();
  expect(readdirSync(path)).toEqual(['notes.txt']);
});

test('a turn whose terminal has become private while it waited does not leave, and is kept nowhere', async () => {
  const path = fresh();
  const { queue } = await openQueue(path, { bytes: 1e6 });
  await queue.add([span(1)], 'secret');
  await queue.add([span(2)], 't1');
  hiddenIds.add('secret');
  expect(idsOf((await queue.oldest(10, 1e6))?.spans)).toEqual([2]);
  expect(readdirSync(path)).toHaveLength(1);
});
