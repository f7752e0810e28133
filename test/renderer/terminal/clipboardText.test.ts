import { expect, test } from 'vitest';
import { clipboardText } from '../../../src-renderer/terminal/clipboardText.ts';

test.each([
  ['c;aGVsbG8=', 'hello'],
  [';w6k=', 'é'],
  ['c;?', undefined],
  ['c;', undefined],
  ['aGVsbG8=', undefined],
  ['c;not base64!', undefined],
  [`c;${'A'.repeat(1024 * 1024 + 4)}`, undefined],
])('OSC 52 with %.20s', (data, text) => {
  expect(clipboardText(data)).toBe(text);
});
