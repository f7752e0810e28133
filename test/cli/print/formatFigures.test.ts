import { expect, test } from 'vitest';
import { count, formatBytes, formatDuration } from '../../../src-main/cli/print/formatFigures.ts';

test.each([
  [0, '0ms'],
  [999, '999ms'],
  [1_000, '1.0s'],
  [59_999, '59.9s'],
  [60_000, '1m00s'],
  [184_000, '3m04s'],
  [3_600_000, '1h00m'],
  [86_399_999, '23h59m'],
  [273_600_000, '3d04h'],
])('%i ms are written %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1536, '1.5 KiB'],
  [10 * 1024 ** 3, '10 GiB'],
])('%i bytes are written %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('one of something has no plural', () => {
  expect([count(1, 'line'), count(0, 'line'), count(2, 'line')]).toEqual(['1 line', '0 lines', '2 lines']);
});
