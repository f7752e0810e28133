import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPath,
  formatTicking,
} from '../../../src-renderer/app/formatWords.ts';
import { strings } from '../../../src-renderer/app/strings.ts';

test.each([
  [-5, '0 ms'],
  [0, '0 ms'],
  [18.4, '18 ms'],
  [999.6, '999 ms'],
  [4100, '4.1 s'],
  [9949, '9.9 s'],
  [9950, '9 s'],
  [59_999, '59 s'],
  [60_000, '1 m 0 s'],
  [372_000, '6 m 12 s'],
  [2 * 3_600_000 + 14 * 60_000, '2 h 14 m'],
  [76 * 3_600_000, '3 d 4 h'],
])('%d ms reads "%s"', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('a growing duration shows whole seconds', () => {
  expect([0, 999, 4900, 61_000].map(formatTicking)).toEqual(['0 s', '0 s', '4 s', '1 m 1 s']);
});

describe('paths', () => {
  test.each([
    ['/home/ada', '~'],
    ['/home/ada/src/harbour', '~/src/harbour'],
    ['/home/adam/src', '/home/adam/src'],
    ['/', '/'],
    ['/home/ada/one-long-folder/two-long-folder/three/four', '~/…/two-long-folder/three/four'],
    [`/home/ada/${'x'.repeat(60)}`, `…${'x'.repeat(39)}`],
  ])('%s reads %s', (path, text) => {
    expect(formatPath(path, '/home/ada')).toBe(text);
  });

  test('a path is never longer than its room and ends as the real one does', () => {
    const part = fc.stringMatching(/^[a-z0-9 .-]{1,30}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), fc.integer({ min: 12, max: 60 }), (parts, room) => {
        const path = `/${parts.join('/')}`;
        const text = formatPath(path, '/home/ada', room);
        expect(text.length).toBeLessThanOrEqual(Math.max(room, 1));
        expect(path.endsWith(text.split('…').at(-1) ?? '')).toBe(true);
      }),
    );
  });
});

test('counts have their thousands apart and one line is one line', () => {
  expect([formatCount(812_440), strings.counts.lines(1), strings.counts.lines(1284), strings.counts.lines(0)]).toEqual([
    '812,440',
    '1 line',
    '1,284 lines',
    '0 lines',
  ]);
});

test.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [12_400, '12 KB'],
  [999_600, '1.0 MB'],
  [5e9, '5.0 GB'],
  [7e15, '7000 TB'],
])('%d bytes read "%s"', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
