import { expect, test } from 'vitest';
import { parseStat } from '../../src-main/pty/foreground.ts';

test.each([
  ['7 (sleep) S 1 7 5 34816 9 4194304 0', { pid: 7, comm: 'sleep', state: 'S', session: 5, tpgid: 9 }],
  ['7 (a) b) (c) Z 1 7 5 0 -1 4194304', { pid: 7, comm: 'a) b) (c', state: 'Z', session: 5, tpgid: -1 }],
  ['7 () R 1 7 5 34816 7 0', { pid: 7, comm: '', state: 'R', session: 5, tpgid: 7 }],
  ['7 sleep S 1 7 5', null],
  ['', null],
])('%s is read whatever the name holds', (line, stat) => {
  expect(parseStat(line)).toEqual(stat);
});
