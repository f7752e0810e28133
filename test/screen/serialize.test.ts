import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { screenState } from '../support/screenState.ts';
import { attachableBrokenStream, attachableStream, vtStream } from '../support/vtStreams.ts';

const SIZE = { cols: 20, rows: 6, scrollbackLines: 10 };

function shown(...chunks: readonly (Uint8Array | string)[]): ScreenModel {
  const model = new ScreenModel(SIZE);
  for (const chunk of chunks) model.write(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
  return model;
}

/** Whether the cursor is past the last column and the cell before it is erased. Only printing can do that, and no sequence restores it. */
function isBeyondNothing({ terminal: { buffer, cols } }: ScreenModel): boolean {
  const { active } = buffer;
  const last = active.getLine(active.baseY + active.cursorY)?.getCell(cols - 1);
  return active.cursorX >= cols && last?.getChars() === '';
}

test('a fresh emulator that reads the state shows the same screen, cursor, modes and looks', () => {
  fc.assert(
    fc.property(vtStream, (stream) => {
      const model = shown(stream);
      expect(screenState(shown(model.serialize()))).toEqual(screenState(model));
    }),
    fuzzRuns(1000),
  );
});

test('a viewer that attaches anywhere in a stream shows what one sees that was there from the start', () => {
  fc.assert(
    fc.property(attachableStream, fc.nat(), (stream, cut) => {
      const at = cut % (stream.length + 1);
      const core = shown(stream.subarray(0, at));
      fc.pre(!isBeyondNothing(core));
      const viewer = shown(core.serialize(), stream.subarray(at - core.heldBytes));
      expect(screenState(viewer)).toEqual(screenState(shown(stream)));
    }),
    fuzzRuns(1000),
  );
});

/** Makes the saved cursor, the character set in use and the protected cells visible. */
const PROBE = '\x18\x1b[?6l\x1b8#q\x1b[?2J';

test('a viewer that attaches anywhere in a broken stream shows the same, also what DECRC brings back and DECSED leaves', () => {
  fc.assert(
    fc.property(attachableBrokenStream, fc.nat(), (stream, cut) => {
      const at = cut % (stream.length + 1);
      const core = shown(stream.subarray(0, at));
      fc.pre(!isBeyondNothing(core));
      const viewer = shown(core.serialize(), stream.subarray(at - core.heldBytes), PROBE);
      expect(screenState(viewer)).toEqual(screenState(shown(stream, PROBE)));
    }),
    fuzzRuns(1000),
  );
});

test.each(['0', 'A', '4', 'C', 'R', 'Q', 'K', 'Y', 'E', 'Z', 'H', '='])(
  'the character set %s comes back, in use and saved with the cursor',
  (letter) => {
    const before = `\x1b(${letter}\x1b7\x1b(B\x1b)${letter}`;
    const core = shown(before);
    for (const after of ['\x0e#@[q', '\x1b8#@[q']) {
      const direct = shown(before, after);
      expect(screenState(shown(core.serialize(), after))).toEqual(screenState(direct));
      expect(direct.frame().rows[0]?.text).not.toBe('#@[q');
    }
  },
);

test.each([
  ['the text', '\x1b[1"qkept\x1b[0"q lost', '\x1b[?2J'],
  ['what is printed next', 'lost\x1b[1"q', ' kept\x1b[?2J'],
  ['what is printed after DECRC', '\x1b[1"q\x1b7\x1b[0"q', 'lost\x1b8\x1b[Ckept\x1b[?2J'],
])('the protection of %s comes back', (_, before, after) => {
  const direct = shown(before, after);
  expect(screenState(shown(shown(before).serialize(), after))).toEqual(screenState(direct));
  expect(direct.frame().rows[0]?.text).toContain('kept');
});

test.each([
  ['between the letters of a sequence', 'a\x1b[3', '1mred\x1b[m'],
  ['within a title', 'a\x1b]0;ti', 'tle\x07b'],
  ['within a title that is long', `a\x1b]0;${'t'.repeat(9000)}`, 'tle\x07b'],
  ['within a string that began with C1', 'a\u009d0;ti', 'tle\u009cb'],
  ['after ESC', 'a\x1b', '[2Jb'],
  ['after ESC and a line feed', 'a\x1b\n', '[2Jb'],
  ['after a line feed within a sequence', 'a\x1b[3\n', '1mb'],
  ['after a tab within a sequence', 'a\x1b[\t\t', '31mb'],
])('a state taken %s goes on in it', (_, before, after) => {
  const core = shown(before);
  const whole = screenState(shown(before, after));
  expect(screenState(shown(core.serialize(), after))).toEqual(whole);
});

test('a state taken within a character leaves its first bytes to what is written next', () => {
  const bytes = new TextEncoder().encode('a…b');
  const core = shown(bytes.subarray(0, 3));
  expect(core.heldBytes).toBe(2);
  expect(screenState(shown(core.serialize(), bytes.subarray(1)))).toEqual(screenState(shown(bytes)));
});

test('as much scrollback as asked for is written', () => {
  const core = shown('1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9');
  expect(shown(core.serialize(1)).frame().scrollbackTotal).toBe(1);
  expect(shown(core.serialize()).frame().scrollbackTotal).toBe(3);
});
