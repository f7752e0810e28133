import { describe, expect, test } from 'vitest';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const SIZE = { cols: 20, rows: 4, scrollbackLines: 100 };

function shown(output: string, clock = new FakeClock()): ScreenModel {
  const model = new ScreenModel(SIZE, clock);
  model.write(Buffer.from(output));
  return model;
}

describe('a frame', () => {
  test('holds what is seen', () => {
    const { rows, ...rest } = shown('\x1b]0;title\x07one \x1b[7mtwo\x1b[m\r\n漢字\x1b[?25l').frame();
    expect(rows.map((row) => row.spans)).toEqual([
      [{ text: 'one ' }, { text: 'two', inverse: true }],
      [{ text: '漢字' }],
      [],
      [],
    ]);
    expect(rest).toEqual({
      cursor: { row: 1, col: 4, visible: false },
      title: 'title',
      altScreen: false,
      cols: 20,
      rowsCount: 4,
      scrollbackTotal: 0,
      seq: 1,
      epoch: 0,
    });
  });

  test('is the same object while nothing visible changes', () => {
    const model = shown('text');
    const first = model.frame();
    model.write(Buffer.from('\x1b[31m\x1b[?2004h'));
    expect(model.frame()).toBe(first);
  });

  test('has the next number when a look changes and the text does not', () => {
    const model = shown('text');
    const first = model.frame();
    model.write(Buffer.from('\r\x1b[7mtext'));
    expect(model.frame()).toMatchObject({ seq: first.seq + 1, rows: [{ text: 'text' }, {}, {}, {}] });
  });

  test('shares the rows that did not change', () => {
    const model = shown('one\r\ntwo');
    const first = model.frame();
    model.write(Buffer.from('!'));
    expect(model.frame().rows.map((row, at) => row === first.rows[at])).toEqual([true, false, true, true]);
  });

  test.each([
    ['the cursor in its row', '\x1b[1D'],
    ['whether the cursor shows', '\x1b[?25l'],
    ['what is held above', '\x1b[3J'],
  ])('keeps its number when nothing but %s changes, and tells it', (_, output) => {
    const model = shown('\n\n\n\n\n   ');
    const first = model.frame();
    model.write(Buffer.from(output));
    const second = model.frame();
    expect(second.seq).toBe(first.seq);
    expect({ ...second, rows: 0 }).not.toEqual({ ...first, rows: 0 });
  });

  test.each([
    ['text', 'x'],
    ['a look', '\r\x1b[7mt'],
    ['the row of the cursor', '\x1b[B'],
    ['the title', '\x1b]2;other\x07'],
    ['the buffer', '\x1b[?1049h'],
  ])('has the next number when %s changes', (_, output) => {
    const model = shown('text');
    const { seq } = model.frame();
    model.write(Buffer.from(output));
    expect(model.frame().seq).toBe(seq + 1);
  });

  test('shares rows that moved', () => {
    const model = shown('a\r\nb\r\nc\r\nd');
    const first = model.frame();
    model.write(Buffer.from('\r\ne'));
    expect(
      model
        .frame()
        .rows.slice(0, 3)
        .map((row, at) => row === first.rows[at + 1]),
    ).toEqual([true, true, true]);
  });

  test('is frozen', () => {
    const frame = shown('text').frame();
    expect([frame, frame.rows, frame.rows[0], frame.cursor].every(Object.isFrozen)).toBe(true);
  });

  test('counts another epoch after a reset', () => {
    const model = shown('text');
    const before = model.frame().epoch;
    model.write(Buffer.from('\x1bc'));
    expect(model.frame().epoch).toBe(before + 1);
  });
});

describe('a synchronized update', () => {
  test('is not seen before it ends', () => {
    const model = shown('before');
    model.frame();
    model.write(Buffer.from('!\x1b[?2026h\rduring'));
    expect(model.frame().rows[0]?.text).toBe('before!');
    model.write(Buffer.from('\x1b[?2026l'));
    expect(model.frame().rows[0]?.text).toBe('during!');
  });

  test('is seen after 250 ms all the same, and ended after a second', () => {
    const clock = new FakeClock();
    const model = shown('before', clock);
    model.frame();
    model.write(Buffer.from('\x1b[?2026h\rduring'));
    clock.advance(251);
    expect(model.frame().rows[0]?.text).toBe('during');
    clock.advance(750);
    model.frame();
    expect(model.core.coreService.decPrivateModes.synchronizedOutput).toBe(false);
  });
});

describe('the command line', () => {
  /** Prints a prompt, draws `typed` after it, and enters it. */
  function entered(typed: string, afterEnter = '\r\n'): string | null {
    const model = shown('$ ');
    model.mark('promptEnd');
    model.write(Buffer.from(typed + afterEnter));
    model.mark('begin');
    return model.commandText();
  }

  test.each([
    ['as typed', 'ls -la', 'ls -la'],
    ['without the blanks at its end, which a correction leaves too', 'lss\b \b', 'ls'],
    ['after corrections', 'lss\b \b -l\b\b\x1b[Kx', 'ls x'],
    ['over soft wraps', `echo ${'abc'.repeat(12)}`, `echo ${'abc'.repeat(12)}`],
    ['with wide characters at the margin', `echo aaaaaaaaaaaa漢字`, 'echo aaaaaaaaaaaa漢字'],
    ['without a right-hand prompt', 'ls\x1b[10Cright\x1b[15D', 'ls'],
    ['when nothing was typed', '', ''],
  ])('is read %s', (_, typed, text) => {
    expect(entered(typed)).toBe(text);
  });

  test('is null over a continuation prompt', () => {
    expect(entered('for x in 1\r\n> do echo')).toBeNull();
  });

  test('is null when something was printed before it began', () => {
    expect(entered('ls', '\r\nmore\r\n')).toBeNull();
  });

  test('is null when it is taller than the screen, whatever stands above it', () => {
    expect(entered('x'.repeat(4 * 20 - 2))).toBe('x'.repeat(4 * 20 - 2));
    expect(entered('x'.repeat(4 * 20 - 1))).toBeNull();
  });

  test('is null after a resize', () => {
    const model = shown('$ ');
    model.mark('promptEnd');
    model.write(Buffer.from('ls'));
    model.resize({ cols: 30, rows: 4 });
    model.write(Buffer.from('\r\n'));
    model.mark('begin');
    expect(model.commandText()).toBeNull();
  });

  test('is null when the prompt was cleared away', () => {
    expect(entered('ls\x1b[2J\x1b[3J\x1b[H')).toBeNull();
  });

  test('can be read while it is typed', () => {
    const model = shown('$ ');
    model.mark('promptEnd');
    model.write(Buffer.from('git sta\b\b'));
    expect(model.commandText()).toBe('git sta');
  });

  test('is forgotten at the next prompt', () => {
    const model = shown('$ ');
    model.mark('promptEnd');
    model.write(Buffer.from('ls\r\n'));
    model.mark('begin');
    model.write(Buffer.from('$ '));
    model.mark('promptEnd');
    expect(model.commandText()).toBe('');
  });
});
