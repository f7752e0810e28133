import { expect, test } from 'vitest';
import { TypescriptTiming } from '../../../src-main/recordings/formats/TypescriptTiming.ts';

function readAll(lines: readonly string[]) {
  const timing = new TypescriptTiming();
  return lines.map((line) => timing.read(line));
}

test('the classic form tells seconds since the line before, and bytes', () => {
  expect(readAll(['0.25 10', '1.5 3'])).toEqual([
    { type: 'output', atMs: 250, bytes: 10 },
    { type: 'output', atMs: 1750, bytes: 3 },
  ]);
});

test('the labelled form tells sizes too, and every line moves the time', () => {
  const lines = ['H 0.000000 TERM xterm', 'I 0.5 1', 'O 0.25 7', 'S 0.25 SIGWINCH ROWS=40 COLS=132'];
  expect(readAll(lines)).toEqual([
    { type: 'other', atMs: 0 },
    { type: 'other', atMs: 500 },
    { type: 'output', atMs: 750, bytes: 7 },
    { type: 'resize', atMs: 1000, cols: 132, rows: 40 },
  ]);
});

test.each(['', 'x', '1.0', 'O 1.0', 'O 1.0 x', '-1 5', 'Z 1 2'])('%j is no line of a timing file', (line) => {
  expect(readAll([line])).toEqual([null]);
});
