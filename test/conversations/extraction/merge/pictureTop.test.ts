import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScreenStep } from '../../../../src-main/contract/chat/extractor.ts';
import { RowTimeline } from '../../../../src-main/conversations/extraction/merge/RowTimeline.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';

const FOOTER = ['> type here', 'folder  model'];
const SCREEN_ROWS = 16;
const BODY_ROWS = SCREEN_ROWS - FOOTER.length;

/** Rows above the removed ones that must still be on the screen to be recognized. */
const TOP_ROWS = 2;

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at} is said`);

/** A picture of the alternate screen that shows the end of `said`; its first `blanks` rows are blank. */
function picture(said: readonly string[], blanks = 0): ScreenStep {
  const shown = said.slice(-BODY_ROWS).map((text, at) => (at < blanks ? '' : text));
  const rows = [...shown, ...FOOTER].map((text) => ({ text, spans: [{ text }], wrapped: false }));
  const place = { at: 0, atMs: 0, seq: 0, cols: 80, altScreen: true, title: '', cursorRow: null };
  return { ...place, left: [], isErased: false, rows };
}

/** The lines on the tape after these pictures. */
function linesAfter(pictures: readonly ScreenStep[]): string[] {
  const tape = new RowTimeline();
  let texts: string[] = [];
  for (const own of pictures) {
    texts = tape.take(own).rows.map(({ text }) => text);
    tape.settle(false);
  }
  return texts.filter((text) => text.startsWith('line'));
}

test('lines that a program removes from the middle of its text, while it adds others, leave the lines above them once', () => {
  const counts = { shown: fc.nat(BODY_ROWS), removed: fc.integer({ min: 1, max: 8 }), added: fc.nat(4) };
  const change = fc.record(counts).filter(({ shown, added }) => shown > 0 && shown + added <= BODY_ROWS - TOP_ROWS);
  fc.assert(
    fc.property(change, ({ shown, removed, added }) => {
      const all = lines(0, 40);
      const at = all.length - shown; // so many lines are below the removed ones
      const gone = all.slice(at - removed, at);
      const rest = [...all, ...lines(40, 40 + added)].filter((line) => !gone.includes(line));
      const growing = [20, 25, 30, 35, 40].map((to) => picture(all.slice(0, to)));
      const told = linesAfter([...growing, picture(rest)]);
      // A program that adds nothing may as well have scrolled back above a fixed part: the removed lines then stay.
      expect(told.filter((line) => !gone.includes(line))).toEqual(rest.slice(20 - BODY_ROWS));
      expect(new Set(told).size).toBe(told.length);
    }),
    fuzzRuns(200),
  );
});

test('rows that a scrolling program leaves blank at its top keep their lines', () => {
  const scroll = fc.record({ by: fc.integer({ min: 0, max: 3 }), blanks: fc.integer({ min: 0, max: 3 }) });
  fc.assert(
    fc.property(fc.array(scroll, { minLength: 1, maxLength: 12 }), (scrolls) => {
      let to = 20;
      let blanks = 0;
      const pictures = [picture(lines(0, to))];
      for (const one of scrolls) {
        to += one.by;
        blanks = one.by === 0 ? blanks : one.blanks; // a row becomes blank only when it scrolls
        pictures.push(picture(lines(0, to), blanks));
      }
      expect(linesAfter(pictures)).toEqual(lines(20 - BODY_ROWS, to));
    }),
    fuzzRuns(200),
  );
});

test('a row at the top that becomes blank without scrolling is erased', () => {
  const said = lines(0, 20);
  expect(linesAfter([picture(said), picture(said, 1)])).toEqual(said.slice(20 - BODY_ROWS + 1));
});
