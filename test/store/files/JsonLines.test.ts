import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { JsonLines } from '../../../src-main/store/files/JsonLines.ts';
import { readJsonLines } from '../../../src-main/store/files/readJsonLines.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { FakeClock } from '../FakeClock.ts';
import { type Fault, FaultyDisk } from '../FaultyDisk.ts';

const folder = mkdtempSync(join(tmpdir(), 'hansard-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

const asIs = (json: unknown): unknown => json;
let files = 0;
function newPath(content?: string | Uint8Array): string {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

interface Row {
  n: number;
  text: string;
}

function start(prepare: (disk: FaultyDisk) => void = () => undefined) {
  const disk = new FaultyDisk();
  prepare(disk);
  const clock = new FakeClock();
  const faults: (string | null)[] = [];
  const log = silentLog;
  const lines = JsonLines.open<Row>('/r/blocks.jsonl', {
    log,
    clock,
    disk,
    onFault: (fault) => faults.push(fault?.reason ?? null),
  });
  return { disk, clock, faults, lines };
}

function rowsOf(disk: FaultyDisk): Row[] {
  const text = disk.content.toString();
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
}

const row = (n: number, bytes = 20): Row => ({ n, text: 'x'.repeat(bytes) });

describe('JsonLines', () => {
  test('reads back every JSON value that was appended, U+2028, lone surrogates and NUL included (law)', async () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\u2028', '\u2029', '\ud800', '\0', '\n', '\r', '"', '\ufeff', '💥'), fc.string()),
    });
    const value = fc.jsonValue().filter((json) => json !== null);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(value, fc.record({ text })), { maxLength: 20 }), async (records) => {
        const path = newPath();
        const lines = JsonLines.open<unknown>(path, { log: silentLog, clock: new FakeClock() });
        const acknowledged = await Promise.all(records.map((record) => lines.append(record)));
        await lines.close();
        const sent = records.map((record): unknown => JSON.parse(JSON.stringify(record)));
        expect(acknowledged).toEqual(records.map(() => true));
        expect(await readJsonLines(path, asIs)).toEqual({ records: sent, badLines: 0, tornTail: null });
      }),
      fuzzRuns(60),
    );
  });

  test('a record is on disk, whole, when append returns', () => {
    const { disk, lines } = start();
    void lines.append(row(1));
    expect(rowsOf(disk)).toEqual([row(1)]);
  });

  test.each(['short', 'ENOSPC', 'EIO', 'EROFS'] as const)(
    'order and every record survive %s at any one of 200 writes',
    async (fault) => {
      for (let index = 1; index <= 200; index += 1) {
        const { disk, clock, faults, lines } = start((before) => {
          before.onWrite = (write) => (write === index ? fault : null);
        });
        const all = Array.from({ length: 210 }, (_, n) => row(n));
        const acknowledged = Promise.all(all.map((record) => lines.append(record)));
        clock.advance(5_000);
        expect(await acknowledged).toEqual(all.map(() => true));
        expect(rowsOf(disk)).toEqual(all);
        expect(faults).toEqual(fault === 'short' ? [] : [expect.stringContaining(fault), null]);
      }
    },
  );

  test('never leaves a torn line nor changes the order, whatever the disk does (law)', async () => {
    const step = fc.record({ bytes: fc.nat(300), waitMs: fc.constantFrom(0, 0, 100, 5_000) });
    const outcomes = fc.array(fc.constantFrom<Fault | null>(null, null, 'short', 'ENOSPC', 'EIO'), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), outcomes, fc.nat(6_000), async (steps, plan, capacity) => {
        const { disk, clock, faults, lines } = start((before) => {
          before.onWrite = (index) => plan[index - 1] ?? null;
          before.capacity = capacity;
        });
        const sent: Promise<boolean>[] = [];
        for (const [n, { bytes, waitMs }] of steps.entries()) {
          sent.push(lines.append(row(n, bytes)));
          clock.advance(waitMs);
          const onDisk = rowsOf(disk);
          expect(onDisk).toEqual(steps.slice(0, onDisk.length).map((step, at) => row(at, step.bytes)));
        }
        disk.capacity = Number.POSITIVE_INFINITY;
        clock.advance(100 * 5_000);
        expect(await Promise.all(sent)).toEqual(steps.map(() => true));
        expect(rowsOf(disk)).toEqual(steps.map(({ bytes }, n) => row(n, bytes)));
        expect([faults.at(-1) ?? null, clock.waiting]).toEqual([null, 0]);
      }),
      fuzzRuns(200),
    );
  });

  test('a torn piece that could not be cut is overwritten by the same record', () => {
    const { disk, clock, lines } = start((before) => {
      before.capacity = 100;
      before.onTruncate = () => 'EIO';
    });
    for (let n = 0; n < 5; n += 1) void lines.append(row(n));
    expect(disk.content.length).toBe(100);
    disk.capacity = 10_000;
    clock.advance(5_000);
    expect(rowsOf(disk)).toEqual([0, 1, 2, 3, 4].map((n) => row(n)));
  });

  test('gives up the oldest of what waits once that is over 4 MiB, says so, and never rejects', async () => {
    const { disk, clock, lines } = start((before) => {
      before.onWrite = () => 'ENOSPC';
    });
    const sent = Array.from({ length: 60 }, (_, n) => lines.append(row(n, 100_000)));
    disk.onWrite = () => null;
    clock.advance(5_000);
    const acknowledged = await Promise.all(sent);
    const given = acknowledged.indexOf(true);
    expect(given).toBe(60 - Math.floor((4 * 1024 * 1024) / (JSON.stringify(row(10, 100_000)).length + 1)));
    expect(lines.dropped).toBe(given);
    expect(rowsOf(disk).map(({ n }) => n)).toEqual(Array.from({ length: 60 - given }, (_, at) => given + at));
  });

  test('ends a last line that nobody ended, rather than continue it', async () => {
    const path = newPath('{"n":1}\n{"n":2');
    const lines = JsonLines.open<unknown>(path, { log: silentLog, clock: new FakeClock() });
    await lines.append({ n: 3 });
    await lines.close();
    expect(await readJsonLines(path, asIs)).toEqual({ records: [{ n: 1 }, { n: 3 }], badLines: 1, tornTail: null });
  });

  test('syncs at most once a second, and calls in between share the next one', async () => {
    const { disk, clock, lines } = start();
    void lines.append(row(1));
    await lines.sync();
    void lines.append(row(2));
    const shared = [lines.sync(), lines.sync(), lines.sync()];
    expect(disk.syncs).toBe(1);
    clock.advance(1_000);
    await Promise.all(shared);
    expect([disk.syncs, disk.durable.equals(disk.content)]).toEqual([2, true]);
  });

  test('writes the unsynced records again after a failed fdatasync', async () => {
    const { disk, clock, faults, lines } = start();
    void lines.append(row(1));
    await lines.sync();
    const safe = disk.content.length;
    void lines.append(row(2));
    disk.onSync = () => {
      disk.content.fill('?', safe); // the kernel drops the unsynced pages
      return 'EIO';
    };
    clock.advance(1_000);
    await lines.sync();
    expect(rowsOf(disk)).toEqual([row(1), row(2)]);
    expect(faults).toEqual([expect.stringContaining('while syncing')]);
    disk.onSync = () => null;
    clock.advance(1_000);
    await lines.sync();
    expect([faults.at(-1), disk.durable.equals(disk.content)]).toEqual([null, true]);
  });

  test('goes on in a new file when the old one was deleted', async () => {
    const { disk, clock, lines } = start();
    await lines.append(row(1));
    disk.isDeleted = true;
    clock.advance(1_000);
    await lines.append(row(2));
    expect(rowsOf(disk)).toEqual([row(2)]);
  });

  test('close gives up what the disk will not take, and leaves no timer, sync or descriptor', async () => {
    const { disk, clock, lines } = start();
    await lines.append(row(1));
    await lines.sync();
    void lines.append(row(2));
    const waiting = lines.sync();
    disk.onWrite = () => 'EIO';
    const refused = lines.append(row(3));
    await lines.close();
    await waiting;
    expect([await refused, clock.waiting, disk.openFds.size, await lines.append(row(4))]).toEqual([false, 0, 0, false]);
    expect(rowsOf(disk)).toEqual([row(1), row(2)]);
  });
});

describe('readJsonLines', () => {
  const whole = '{"n":1,"t":"ä💥"}\n{"n":2,"t":"\u2028"}\n{"n":3,"t":"end"}\n';
  const bytes = Buffer.from(whole);

  test.each(Array.from({ length: bytes.length + 1 }, (_, at) => at))(
    'cut after byte %i, it gives all whole records before',
    async (at) => {
      const cut = bytes.subarray(0, at);
      const lines = cut.toString('latin1').split('\n');
      const read = await readJsonLines(newPath(cut), asIs);
      expect(read.records).toEqual([1, 2, 3].slice(0, lines.length - 1).map((n) => expect.objectContaining({ n })));
      expect([read.badLines, read.tornTail?.length ?? 0]).toEqual([0, lines.at(-1)?.length]);
    },
  );

  test.each<[string, string | Uint8Array, number[], number, number]>([
    ['an empty file', '', [], 0, 0],
    ['a BOM', '\ufeff{"n":1}\n', [1], 0, 0],
    ['CRLF', '{"n":1}\r\n{"n":2}\r\n', [1, 2], 0, 0],
    ['empty lines', '\n\r\n{"n":1}\n\n', [1], 0, 0],
    ['a tail of NULs', `{"n":1}\n${'\0'.repeat(4096)}`, [1], 0, 4096],
    ['a hole that a record was written behind', `{"n":1}\n${'\0'.repeat(4096)}{"n":2}\n`, [1, 2], 0, 0],
    [
      'half a UTF-8 character inside a line',
      Buffer.concat([Buffer.from('{"n":1,"t":"'), Buffer.of(0xe2, 0x82), Buffer.from('"}\n{"n":2}\n')]),
      [2],
      1,
      0,
    ],
    [
      'half a UTF-8 character at the end',
      Buffer.concat([Buffer.from('{"n":1}\n{"t":"'), Buffer.of(0xf0, 0x9f)]),
      [1],
      0,
      8,
    ],
    ['a line that is no JSON', '{"n":1}\nnonsense\n{"n":2}\n', [1, 2], 1, 0],
    ['a line that the schema refuses', '{"n":1}\n{"m":1}\n{"n":2}\n', [1, 2], 1, 0],
  ])('%s', async (_, content, ns, badLines, torn) => {
    const read = await readJsonLines(newPath(content), (json) => {
      if (typeof json !== 'object' || json === null || !('n' in json)) throw new Error('no n');
      return json.n;
    });
    expect([read.records, read.badLines, read.tornTail?.length ?? 0]).toEqual([ns, badLines, torn]);
  });

  test('a missing file has no records', async () => {
    expect(await readJsonLines(newPath(), asIs)).toEqual({ records: [], badLines: 0, tornTail: null });
  });

  test('a line of 200 MB costs 16 MiB at most, is counted, and what stands around it is read', async () => {
    const path = newPath('{"n":1}\n{"t":"');
    const piece = Buffer.alloc(10 * 1024 * 1024, 'x');
    for (let at = 0; at < 20; at += 1) appendFileSync(path, piece);
    appendFileSync(path, '"}\n{"n":2}\n');
    const before = process.memoryUsage().rss;
    const read = await readJsonLines(path, asIs);
    expect(read).toEqual({ records: [{ n: 1 }, { n: 2 }], badLines: 1, tornTail: null });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    expect(readFileSync(path).length).toBeGreaterThan(200 * 1024 * 1024);
    rmSync(path);
  });
});
