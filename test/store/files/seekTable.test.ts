import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  FOOTER_BYTES,
  formatSeekTable,
  parseSeekTable,
  seekTableBytes,
} from '../../../src-main/store/files/seekTable.ts';

const frames = fc.array(
  fc.record({ bytes: fc.integer({ min: 1, max: 2 ** 21 }), contentBytes: fc.integer({ min: 1, max: 2 ** 20 }) }),
  { maxLength: 50 },
);

test('what is written is read back with the place of every frame (law)', () => {
  fc.assert(
    fc.property(frames, (list) => {
      const table = formatSeekTable(list);
      expect(seekTableBytes(table.subarray(-FOOTER_BYTES))).toBe(table.length);
      const before = list.reduce((sum, { bytes }) => sum + bytes, 0);
      const entries = parseSeekTable(table, before + table.length);
      expect(entries?.map(({ bytes, contentBytes }) => ({ bytes, contentBytes }))).toEqual(list);
      let at = 0;
      let contentAt = 0;
      for (const entry of entries ?? []) {
        expect([entry.at, entry.contentAt]).toEqual([at, contentAt]);
        at += entry.bytes;
        contentAt += entry.contentBytes;
      }
    }),
  );
});

test('an index with a byte changed, cut or put before it never throws, and is refused unless only sizes within it moved', () => {
  const table = formatSeekTable([
    { bytes: 100, contentBytes: 1000 },
    { bytes: 50, contentBytes: 500 },
  ]);
  for (let at = 0; at < table.length; at += 1) {
    const changed = Buffer.from(table);
    changed[at] = (changed[at] ?? 0) ^ 0x81;
    const isContentSize = [1, 2].some((n) => at >= 8 * n + 4 && at < 8 * n + 8);
    const isUnusedBit = at === table.length - 5;
    const read = parseSeekTable(changed, 150 + table.length);
    if (!isContentSize && !isUnusedBit) expect(read, `byte ${at}`).toBeNull();
    expect(parseSeekTable(table.subarray(at + 1), 150 + table.length - at - 1), `cut at ${at}`).toBeNull();
  }
});

test('a frame that claims more than 16 MiB is refused: memory is not what a damaged file asks for', () => {
  const table = formatSeekTable([{ bytes: 10, contentBytes: 2 ** 31 }]);
  expect(parseSeekTable(table, 10 + table.length)).toBeNull();
});
