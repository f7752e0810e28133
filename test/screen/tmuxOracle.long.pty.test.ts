import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { findProgram } from '../machines/rig/findProgram.ts';
import { screenRows } from '../support/screenState.ts';
import { type Shown, TmuxScreen } from '../support/TmuxScreen.ts';

const SIZE = { cols: 24, rows: 8 };
/** A fixed seed, so that the result does not depend on the machine; to try another one, change this file. */
const SEED = 20_261_120;

/*
 * The generator leaves out sequences for which both emulators are right but differ: erasing, moving and tabulating from the margin after
 * the last column, IL and DL away from the first column (a DEC terminal moves to it, tmux does not) and outside of the scroll region (a
 * DEC terminal ignores them there, tmux does not), origin mode, insert mode, DECALN, writing, erasing and shifting in the middle of a
 * wide character, and characters whose width depends on the version of Unicode.
 */
const small = fc.integer({ min: 1, max: 9 });
const narrow = fc.constantFrom('a', 'bc', 'word', 'a b', 'é', '-'.repeat(20), 'x'.repeat(30));
const wide = fc.constantFrom('ab', '漢字', '漢'.repeat(13), 'ab字'.repeat(9));
const settle = '\r';
const move = fc.oneof(
  fc.tuple(small, fc.integer({ min: 1, max: 22 })).map(([row, col]) => `\x1b[${row};${col}H`),
  fc.tuple(small, fc.constantFrom('A', 'B', 'C', 'E', 'F')).map(([count, final]) => `${settle}\x1b[${count}${final}`),
  fc.integer({ min: 1, max: 8 }).map((row) => `${settle}\x1b[${row}d`),
  fc.constantFrom('\r', '\r\n', '\r\n\n', '\r\x1bM', '\r\x1bD', '\x1bE', `${settle}\x1b7\x1b[3;3Hs\x1b8`),
);
/** Moves to the first half of a wide character, because emulators may overwrite a second half differently. */
const evenMove = fc.oneof(
  fc.tuple(small, fc.integer({ min: 0, max: 10 })).map(([row, half]) => `\x1b[${row};${2 * half + 1}H`),
  fc.constantFrom('\r', '\r\n', '\r\n\n', '\r\x1bM', '\r\x1bD', '\x1bE', `${settle}\x1b[2A`, `${settle}\x1b[3B`),
);
const scroll = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('S', 'T'))
  .map(([count, final]) => `${settle}\x1b[${count}${final}`);
const erase = fc
  .tuple(fc.constantFrom('0', '1', '2', ''), fc.constantFrom('J', 'K'))
  .map((parts) => `\x1b[4C\x1b[4D\x1b[${parts.join('')}`);
const eraseRows = fc.constantFrom('J', 'K', '2J', '2K').map((end) => `${settle}\x1b[${end}`);
const shift = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('@', 'P', 'X'))
  .map(([count, final]) => `${settle}\x1b[2C\x1b[${count}${final}`);
const insertOrDelete = fc
  .tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom('L', 'M'),
  )
  .map(([top, height, count, final]) => `\x1b[${top};${top + height}r\x1b[${top + height - 1};1H\x1b[${count}${final}`);
const region = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }))
  .map(([top, height]) => `\x1b[${top};${top + height}r`);
const look = fc.constantFrom('\x1b[m', '\x1b[1m', '\x1b[31m', '\x1b[7m', '\x1b[44m', '\x1b[38;5;200m');

const streamOf = (texts: fc.Arbitrary<string>, moves: fc.Arbitrary<string>, edits: fc.Arbitrary<string>) =>
  fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: texts },
        { weight: 3, arbitrary: moves },
        { weight: 3, arbitrary: edits },
        { weight: 1, arbitrary: region },
        { weight: 1, arbitrary: insertOrDelete },
        { weight: 1, arbitrary: fc.constant('\x1b[r') },
        { weight: 1, arbitrary: look },
      ),
      { minLength: 1, maxLength: 40 },
    )
    .map((parts) => parts.join(''));

function shownHere(output: string): Shown {
  const model = new ScreenModel({ ...SIZE, scrollbackLines: 100 });
  model.write(Buffer.from(output));
  const { row, col } = model.frame().cursor;
  const shown: Shown = { rows: screenRows(model), cursor: [row, col] };
  model.dispose();
  return shown;
}

/** The rows that left our screen and then those on it, without blank rows. */
function everythingHere(output: string): string[] {
  const model = new ScreenModel({ ...SIZE, scrollbackLines: 100 });
  model.leaving.collect(true);
  model.write(Buffer.from(output));
  const left = model.leaving.take().map(({ text }) => text.trimEnd());
  const shown = screenRows(model);
  model.dispose();
  return [...left, ...shown].filter((row) => row !== '');
}

describe.skipIf(findProgram('tmux') === null)('tmux', () => {
  let tmux: TmuxScreen;
  beforeAll(() => {
    tmux = new TmuxScreen(SIZE.cols, SIZE.rows);
  });
  afterAll(() => tmux.dispose());

  test.each([
    [
      'narrow characters, moves, erasing, shifting and scrolling',
      streamOf(narrow, move, fc.oneof(erase, shift, scroll)),
    ],
    ['wide characters', streamOf(wide, evenMove, fc.oneof(eraseRows, scroll))],
  ])('shows what our screen shows: %s', (_, stream) => {
    fc.assert(
      fc.property(stream, (output) => {
        expect(shownHere(output)).toEqual(tmux.show(output));
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  test('keeps above the screen what we hand on, also from scroll regions', () => {
    const count = fc.integer({ min: 1, max: 3 });
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constant('line') },
      { weight: 1, arbitrary: count.map((rows) => `\x1b[${rows}S`) },
      { weight: 1, arbitrary: fc.constantFrom('\x1b[1;5r\x1b[5;1H', '\x1b[r\x1b[8;1H', '\x1b[3;7r\x1b[7;1H') },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const output = steps.map((own, at) => (own === 'line' ? `\r\n#${at}` : own)).join('');
        expect(everythingHere(output)).toEqual(tmux.show(output, true).rows.filter((row) => row !== ''));
      }),
      { numRuns: 100, seed: SEED },
    );
  });
});
