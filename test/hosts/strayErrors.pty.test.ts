import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('logs errors of listeners, detached work, timers and rejections, raises a notice and keeps the process running', () => {
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, 'strayChild.ts')], { encoding: 'utf8' });
  const { heard, logged, raised, listeners } = JSON.parse(printed);
  expect(heard).toEqual([1, 2, 3, 4, 5]);
  expect(logged).toHaveLength(6);
  expect(logged).toEqual(
    expect.arrayContaining([
      ['listener', 'in a listener', 1],
      ['listener', 'in a listener', 2],
      ['listener', 'in a listener', 4],
      ['Worker', 'detached', 1],
      ['uncaught exception', 'in a timer', 1],
      ['unhandled rejection', 'awaited by nobody', 1],
    ]),
  );
  expect([new Set(raised), listeners]).toEqual([new Set(['stray-error']), 0]);
});
