import { expect, test } from 'vitest';
import { formatTime } from '../../../src-renderer/replay/formatTime.ts';
import { readCast } from '../../../src-renderer/replay/readCast.ts';

const HEAD = '{"version":2,"width":80,"height":24,"timestamp":1700000000,"title":"make"}';

test('reads output, sizes and marks, and counts from the first of them', () => {
  const text = `${HEAD}\n[5.000, "m", "make"]\n[5.250, "o", "a\\u001b[31m"]\n[6.000, "r", "100x30"]\n[6.5, "o", "b"]\n`;
  expect(readCast(text)).toEqual({
    title: 'make',
    startMs: 1_700_000_005_000,
    size: { cols: 80, rows: 24 },
    events: [
      { type: 'output', text: 'a\x1b[31m', atMs: 250 },
      { type: 'resize', cols: 100, rows: 30, atMs: 1000 },
      { type: 'output', text: 'b', atMs: 1500 },
    ],
    marks: [{ label: 'make', atMs: 0 }],
    lengthMs: 1500,
  });
});

test('says which line cannot be read, and that a size is missing', () => {
  expect(() => readCast(`${HEAD}\n[1, "o", "a"]\n[2, "o", "b`)).toThrow('line 3 cannot be read.');
  expect(() => readCast('{"version":2}\n')).toThrow('it does not say how large its screen is.');
});

test.each([
  [-5, '0:00'],
  [7999, '0:07'],
  [725_000, '12:05'],
  [3_723_000, '1:02:03'],
])('%i ms are %s', (ms, text) => {
  expect(formatTime(ms)).toBe(text);
});
