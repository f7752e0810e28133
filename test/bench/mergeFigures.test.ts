import { expect, test } from 'vitest';
import type { Figure } from './Figure.ts';
import { mergeFigures } from './mergeFigures.ts';

const figure = (row: number, work: string, value: number): Figure => ({
  row,
  work,
  value,
  unit: 'ms',
  runs: 5,
  against: null,
  ratio: null,
  target: '',
  isMet: null,
});

test('rows that were not measured keep their figures and their date, whatever version wrote them', () => {
  const old = {
    startedMs: 100,
    figures: [figure(1, 'a', 1), { ...figure(3, 'b', 2), atMs: 50 }, { ...figure(14, 'c', 3), atMs: 100 }],
  };
  expect(mergeFigures(old, { startedMs: 200, figures: [figure(2, 'd', 4)] })).toEqual([
    { ...figure(1, 'a', 1), atMs: 100 },
    { ...figure(2, 'd', 4), atMs: 200 },
    { ...figure(3, 'b', 2), atMs: 50 },
    { ...figure(14, 'c', 3), atMs: 100 },
  ]);
});

test('a row that was measured loses all its old figures, those too that it no longer has, and keeps the order of the new', () => {
  const old = { startedMs: 100, figures: [figure(1, 'gone', 1), figure(1, 'a', 2)] };
  const now = { startedMs: 200, figures: [figure(1, 'z', 5), figure(1, 'a', 3)] };
  expect(mergeFigures(old, now)).toEqual(now.figures.map((one) => ({ ...one, atMs: 200 })));
});

test('without older results there are those of now', () => {
  expect(mergeFigures(null, { startedMs: 200, figures: [figure(1, 'a', 3)] })).toEqual([
    { ...figure(1, 'a', 3), atMs: 200 },
  ]);
});
