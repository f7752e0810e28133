import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChunkCoalescer } from '../../src-main/pty/ChunkCoalescer.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const PAGE = 4096;

function gather() {
  const clock = new FakeClock();
  const given: Uint8Array[] = [];
  return { clock, given, gather: new ChunkCoalescer(clock, (bytes) => given.push(bytes)) };
}

const lengths = (given: readonly Uint8Array[]) => given.map(({ length }) => length);

describe('the chunks of a PTY', () => {
  test('pass at once when they are small or come alone', () => {
    const { clock, given, gather: pass } = gather();
    for (const length of [1, 20, 2000, PAGE]) pass.take(new Uint8Array(length));
    clock.advance(1);
    pass.take(new Uint8Array(PAGE));
    expect(lengths(given)).toEqual([1, 20, 2000, PAGE, PAGE]);
  });

  test('are joined in a flood: up to 64 KiB, or what has come after 2 ms', () => {
    const { clock, given, gather: pass } = gather();
    for (let n = 0; n < 20; n++) pass.take(new Uint8Array(PAGE));
    expect(lengths(given)).toEqual([PAGE, 16 * PAGE]);
    clock.advance(2);
    expect(lengths(given)).toEqual([PAGE, 16 * PAGE, 3 * PAGE]);
  });

  test('of a flood come out with the small one that ends it', () => {
    const { given, gather: pass } = gather();
    for (const length of [PAGE, PAGE, PAGE, 7]) pass.take(new Uint8Array(length));
    expect(lengths(given)).toEqual([PAGE, 2 * PAGE + 7]);
  });

  test('keep their bytes and their order, whatever their sizes and times, and none is given out twice', () => {
    const chunk = fc.record({
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.nat(80_000).map((length) => new Uint8Array(length).fill(length)),
      ),
      waitMs: fc.constantFrom(0, 0, 0, 0, 0.5, 3),
    });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 30 }), (chunks) => {
        const { clock, given, gather: pass } = gather();
        for (const { bytes, waitMs } of chunks) {
          pass.take(bytes);
          clock.advance(waitMs);
        }
        pass.flush();
        expect(Buffer.concat(given).equals(Buffer.concat(chunks.map(({ bytes }) => bytes)))).toBe(true);
      }),
      fuzzRuns(200),
    );
  });
});
