import { describe, expect, test } from 'vitest';
import { parseMoment } from '../../../src-main/cli/print/parseMoment.ts';

/** Noon in the local time zone. */
const NOW = new Date(2026, 5, 15, 12, 0, 0).getTime();
const local = (day: number, ...time: [number, number, number, number]) => new Date(2026, 5, day, ...time).getTime();

describe('parseMoment', () => {
  test.each([
    ['412', { atSeq: 412 }],
    ['0', { atSeq: 0 }],
    ['90s', { atMs: NOW - 90_000 }],
    ['5m', { atMs: NOW - 300_000 }],
    ['-2h', { atMs: NOW - 7_200_000 }],
    ['1d', { atMs: NOW - 86_400_000 }],
    ['11:59', { atMs: local(15, 11, 59, 59, 999) }],
    ['11:59:30', { atMs: local(15, 11, 59, 30, 999) }],
    ['12:00', { atMs: local(15, 12, 0, 59, 999) }],
    ['12:01', { atMs: local(14, 12, 1, 59, 999) }],
    ['23:00:05', { atMs: local(14, 23, 0, 5, 999) }],
    ['2026-06-14T10:00', { atMs: local(14, 10, 0, 0, 0) }],
    ['2026-06-14 10:00:05', { atMs: local(14, 10, 0, 5, 0) }],
    ['2026-06-14T10:00:00Z', { atMs: Date.UTC(2026, 5, 14, 10) }],
  ])('%s', (text, moment) => {
    expect(parseMoment(text, NOW)).toEqual(moment);
  });

  test.each(['', 'noon', '5 m', '25:00', '12:60', '2026-13-01', '1e9', '5y', '12:00:00:00'].filter((t) => t !== '5'))(
    '"%s" is refused',
    (text) => {
      expect(() => parseMoment(text, NOW)).toThrow(/a seq \(412\)/);
    },
  );
});
