import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { plainEnd } from '../../../src-main/screen/rows/skim.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { screenState } from '../../support/screenState.ts';
import { vtStream } from '../../support/vtStreams.ts';

const SIZE = { cols: 12, rows: 4, scrollbackLines: 3 };
const encode = (text: string) => new TextEncoder().encode(text);

const plainLine = fc
  .array(
    fc.constantFrom(
      'a',
      'some text ',
      'x'.repeat(30),
      '漢字',
      '👍🏽',
      'e\u0301',
      '\t',
      '\r',
      '\x1b[31m',
      '\x1b[1;4m',
      '\x1b[m',
      '\x1b[0m',
      '\x1b[48;2;1;2;3m',
      '\x1b[0;7m',
      '\x1b[38:5:3m',
      '\xa0',
      '…',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const lineEnd = fc.oneof({ weight: 5, arbitrary: fc.constant('\r\n') }, { weight: 1, arbitrary: fc.constant('\n') });
const plainText = fc
  .array(
    fc.tuple(plainLine, lineEnd).map((pair) => pair.join('')),
    { minLength: 5, maxLength: 40 },
  )
  .map((lines) => lines.join(''));

/** The state after `before` and then `bytes`, and the number of skipped bytes. */
function stateAfter(before: Uint8Array, bytes: Uint8Array, isSkimmed: boolean): [object, number] {
  const model = new ScreenModel(SIZE);
  model.write(before);
  const skimmed = isSkimmed ? model.skim(bytes) : undefined;
  if (skimmed) model.writeSkimmed(skimmed);
  const done = skimmed?.from ?? 0;
  model.write(bytes.subarray(done));
  return [screenState(model), done];
}

describe('leaving out what scrolls away', () => {
  test('gives the state that parsing everything gives, whatever was on the screen and whatever follows', () => {
    let skimmed = 0;
    fc.assert(
      fc.property(vtStream, plainText, vtStream, (before, text, rest) => {
        const bytes = Buffer.concat([encode(text), rest]);
        const [state, done] = stateAfter(before, bytes, true);
        skimmed += done > 0 ? 1 : 0;
        expect(state).toEqual(stateAfter(before, bytes, false)[0]);
      }),
      fuzzRuns(1500),
    );
    expect(skimmed).toBeGreaterThan(300);
  });

  test('leaves out all but as many lines as fit, and begins after a CR LF', () => {
    const bytes = encode('line\r\n'.repeat(100));
    expect(stateAfter(new Uint8Array(0), bytes, true)[1]).toBe(6 * (100 - 7));
    expect(stateAfter(new Uint8Array(0), encode('line\n'.repeat(100)), true)[1]).toBe(0);
  });

  test.each([
    ['a scroll region', '\x1b[2;3r'],
    ['the alternate screen', '\x1b[?1049h'],
    ['insert mode', '\x1b[4h'],
    ['no wrapping', '\x1b[?7l'],
    ['an open link', '\x1b]8;;http://x/\x07'],
    ['half a sequence', '\x1b[3'],
    ['half a character', '\xe2\x80'],
  ])('is not done with %s', (_, before) => {
    expect(stateAfter(Buffer.from(before, 'latin1'), encode('line\r\n'.repeat(100)), true)[1]).toBe(0);
  });

  test('is not done when the bytes begin with something else than plain text', () => {
    expect(stateAfter(new Uint8Array(0), encode(`\x1b[2J${'line\r\n'.repeat(100)}`), true)[1]).toBe(0);
  });
});

test.each([
  ['text', 'abc\r\n\t漢字…', 15],
  ['a look', 'a\x1b[1;38:5:3mb', 13],
  ['half a look', 'a\x1b[1;3', 1],
  ['another sequence', 'a\x1b[2Kb', 1],
  ['a private look', 'a\x1b[>4mb', 1],
  ['a bell', 'a\x07b', 1],
  ['DEL', 'a\x7f', 1],
  ['a C1 control', 'a\u009b31m', 1],
  ['a letter that begins like one', 'a\u00a0b', 4],
] as const)('plain text ends rightly at %s', (_, text, end) => {
  expect(plainEnd(encode(text))).toBe(end);
});
