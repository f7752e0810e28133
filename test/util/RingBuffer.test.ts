import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RingBuffer } from '../../src-main/util/RingBuffer.ts';

test('holds the last bytes of a stream under their offsets, whatever the pieces (law)', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 });
  fc.assert(
    fc.property(
      pieces,
      fc.integer({ min: 1, max: 64 }),
      fc.integer({ min: 0, max: 1000 }),
      (chunks, capacity, start) => {
        const ring = new RingBuffer(capacity, start, 4);
        const all: number[] = [];
        for (const chunk of chunks) {
          ring.append(chunk);
          all.push(...chunk);
        }
        expect(ring.end).toBe(start + all.length);
        expect(ring.end - ring.start).toBeLessThanOrEqual(capacity);
        expect(ring.end - ring.start).toBeGreaterThanOrEqual(
          Math.min(capacity, all.length) === capacity ? capacity : all.length,
        );
        expect([...(ring.read(ring.start, capacity) ?? [])]).toEqual(all.slice(ring.start - start));
        expect(ring.read(ring.start - 1, 1)).toBeUndefined();
        expect(ring.read(ring.end + 1, 1)).toBeUndefined();
        expect(ring.read(ring.end, 5)).toEqual(new Uint8Array(0));
      },
    ),
  );
});
