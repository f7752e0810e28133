import { expect, test } from 'vitest';
import { saidParts } from '../../../src-renderer/agents/saidParts.ts';

test.each([
  ['Running `npm test`; **212** of 480 *passed*.', ['Running ', '[npm test]', '; 212 of 480 passed.']],
  ['See [the guide](https://x.test) & `a < b`', ['See the guide & ', '[a < b]']],
  ['<img src=x onerror=alert(1)> ![a](b) 1 < 2', ['<img src=x onerror=alert(1)> ![a](b) 1 < 2']],
  ['snake_case and 2 * 3 * 4 and an open `tick', ['snake_case and 2 * 3 * 4 and an open `tick']],
  ['', []],
])('a row shows %s without the signs of Markdown', (line, parts) => {
  expect(saidParts(line).map(({ text, isCode }) => (isCode ? `[${text}]` : text))).toEqual(parts);
});

test('a text of another machine does not keep the window busy', () => {
  const hostile = '***a_'.repeat(4_000); // as long as a row of another machine may say
  const fromMs = performance.now();
  expect(saidParts(hostile).map(({ text }) => text.length)).not.toEqual([]);
  expect(performance.now() - fromMs).toBeLessThan(500);
});
