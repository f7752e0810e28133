import { expect, test } from 'vitest';
import { DrawnSize } from '../../../../src-main/conversations/extraction/merge/DrawnSize.ts';
import { ScreenModel } from '../../../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenStepRecorder } from '../../../../src-main/screen/worker/ScreenStepRecorder.ts';
import { FakeClock } from '../../../support/FakeClock.ts';

const WORDS = 'one two three four five six seven eight nine ten';

/** Whether the picture of a program on the alternate screen fits, after each printed part or new size. */
function fitting(...parts: (string | { cols: number; rows: number })[]): boolean[] {
  const clock = new FakeClock();
  const model = new ScreenModel({ cols: 60, rows: 10, scrollbackLines: 10 }, clock);
  const size = new DrawnSize();
  const told: boolean[] = [];
  const taker = new ScreenStepRecorder(model, clock, (step) => told.push(size.fits(step)));
  let at = 0;
  try {
    for (const part of ['\x1b[?1049h', ...parts]) {
      if (typeof part === 'string') model.write(Buffer.from(part));
      else model.resize(part);
      at += 1;
      taker.changed(at);
      clock.advance(100);
      taker.take();
    }
  } finally {
    taker.dispose();
    model.dispose();
  }
  return told.slice(-parts.length);
}

const rows = (from: number, to: number, word = 'row') =>
  Array.from({ length: to - from }, (_, at) => `\x1b[${from + at};1H\x1b[K${word} ${from + at}`).join('');

test('rows that a narrower window cuts off do not count until the program draws them again', () => {
  const drawn = `\x1b[1;1H${WORDS}`;
  const wrapped = `\x1b[1;1H${WORDS.slice(0, 24)}\x1b[K\x1b[2;1H${WORDS.slice(24)}`;
  expect(fitting(drawn, { cols: 30, rows: 10 }, '\x1b[5;1Hx', wrapped)).toEqual([true, false, false, true]);
});

test('what is drawn for a taller window does not count until it is erased', () => {
  expect(fitting(rows(1, 11), { cols: 60, rows: 5 }, rows(1, 11), `\x1b[2J${rows(1, 6)}`)).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test('what is drawn for a taller window does not count until all rows are drawn again', () => {
  expect(fitting({ cols: 60, rows: 5 }, rows(1, 11), rows(1, 3, 'new'), rows(3, 6, 'new'))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('rows in the layout of another width do not count until every row of it is drawn again', () => {
  const before = rows(1, 7);
  for (const cols of [40, 80]) {
    const parts = [before, { cols, rows: 10 }, rows(1, 3, 'new'), rows(3, 6, 'new'), rows(6, 7, 'new')];
    expect(fitting(...parts)).toEqual([true, false, false, false, true]);
  }
});

test('a screen that is not drawn again after a resize is read later, although nothing changes', () => {
  const clock = new FakeClock();
  const model = new ScreenModel({ cols: 60, rows: 10, scrollbackLines: 10 }, clock);
  const misfits: boolean[] = [];
  const taker = new ScreenStepRecorder(model, clock, (step) => misfits.push(step.isMisfit === true));
  const change = (work: () => void) => {
    work();
    taker.changed(1);
    taker.settle();
  };
  change(() => model.write(Buffer.from(`\x1b[?1049h${rows(1, 7)}`)));
  change(() => model.resize({ cols: 40, rows: 10 }));
  clock.advance(1000);
  expect(misfits.at(-1)).toBe(true);
  clock.advance(2000);
  expect(misfits.at(-1)).toBe(false);
  taker.dispose();
  model.dispose();
});

test('a program that addresses cells outside of its screen without a resize is read', () => {
  expect(fitting(rows(1, 20))).toEqual([true]);
});
