import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DetachKeys, parseDetachKeys } from '../../src-main/cli/attach/detachKeys.ts';
import { Letterbox } from '../../src-main/cli/attach/Letterbox.ts';
import { TerminalModeTracker } from '../../src-main/cli/attach/TerminalModeTracker.ts';
import { ControlTokens } from '../../src-main/events/ControlTokens.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { recordings } from '../support/recordings.ts';
import { screenRows } from '../support/screenState.ts';
import { vtStream } from '../support/vtStreams.ts';

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

describe('detach keys', () => {
  test.each([
    ['ctrl+\\ d', ['\x1c', 'd']],
    ['Ctrl-T q', ['\x14', 'q']],
    ['^] x', ['\x1d', 'x']],
    ['C-a', ['\x01']],
    ['é', ['\xc3\xa9']],
  ])('%j', (text, keys) => {
    expect(parseDetachKeys(text)?.map(textOf)).toEqual(keys);
  });

  test.each(['', ' ', 'ctrl+é', 'ctrl+', 'escape', 'a b c d e f g h i'])('%j cannot be pressed', (text) => {
    expect(parseDetachKeys(text)).toBeNull();
  });

  /** The typed bytes that pass, when they arrive in these pieces. */
  function passed(pieces: readonly string[]): { text: string; isDetached: boolean } {
    const keys = new DetachKeys(parseDetachKeys('ctrl+\\ d') ?? []);
    let text = '';
    for (const piece of pieces) {
      const fed = keys.feed(bytesOf(piece));
      text += textOf(fed.passed);
      if (fed.isDetached) return { text, isDetached: true };
    }
    return { text, isDetached: false };
  }

  test.each([
    ['abc\x1cd', 'abc', true],
    ['\x1c\x1c', '\x1c', false],
    ['\x1c\x1cd', '\x1cd', false],
    ['\x1c\x1c\x1cd', '\x1c', true],
    ['\x1cx', '\x1cx', false],
    ['\x1b[200~\x1cd\x1b[201~\x1cd', '\x1b[200~\x1cd\x1b[201~', true],
    ['d\x1c', 'd', false],
  ])('%j', (typed, text, isDetached) => {
    expect(passed([typed])).toEqual({ text, isDetached });
  });

  test('are found wherever the bytes were cut, and all else passes as it came (law)', () => {
    const typed = fc.array(fc.constantFrom('\x1c', 'd', 'a', '\x1b', '\x1b[200~', '\x1b[201~', 'é'), { maxLength: 20 });
    fc.assert(
      fc.property(typed, (parts) => {
        const whole = parts.join('');
        expect(passed([...whole])).toEqual(passed([whole]));
        if (!whole.includes('\x1c')) expect(passed([whole])).toEqual({ text: whole, isDetached: false });
      }),
    );
  });
});

describe('modes that were left on', () => {
  const SIZE = { cols: 20, rows: 6, scrollbackLines: 10 };

  /** All state of a terminal apart from the content of its screen. */
  function modesOf(model: ScreenModel): object {
    const { coreService, coreMouseService, _charsetService, buffers } = model.core;
    return {
      modes: { ...coreService.decPrivateModes, ...coreService.modes },
      hidden: coreService.isCursorHidden,
      mouse: coreMouseService.activeProtocol,
      alt: model.terminal.buffer.active.type,
      charset: _charsetService.charset?.q ?? null,
      region: [buffers.normal.scrollTop, buffers.normal.scrollBottom],
      eol: model.terminal.options.convertEol,
    };
  }

  const fresh = new ScreenModel(SIZE);
  /** Ignores differences without effect: an unset cursor style equals the terminal's default. */
  const comparable = (model: ScreenModel) => {
    const state = modesOf(model) as { modes: Record<string, unknown> };
    return { ...state, modes: { ...state.modes, cursorStyle: null, cursorBlink: null } };
  };

  function givenBack(bytes: Uint8Array): ScreenModel {
    const model = new ScreenModel(SIZE);
    const modes = new TerminalModeTracker();
    const tokens = new ControlTokens();
    modes.feed(tokens.feed(bytes));
    model.write(bytes.subarray(0, bytes.length - tokens.heldBytes));
    model.write(Buffer.from(modes.takeReset()));
    return model;
  }

  test('are taken back, whatever a program printed (law)', () => {
    fc.assert(
      fc.property(vtStream, (stream) => {
        const model = givenBack(stream);
        expect(comparable(model)).toEqual(comparable(fresh));
        model.dispose();
      }),
      fuzzRuns(1000),
    );
  });

  test('are taken back, in whatever order they are set, saved and brought back (law)', () => {
    const change = fc.constantFrom(
      ...[
        '\x1b(0',
        '\x1b(B',
        '\x1b)0',
        '\x0e',
        '\x0f',
        '\x1b[31m',
        '\x1b[m',
        '\x1b[?6h',
        '\x1b[?7l',
        '\x1b[?25l',
        '\x1b[4h',
      ],
      ...['\x1b7', '\x1b8', '\x1b[s', '\x1b[u', '\x1b[?1048h', '\x1b[?1048l', '\x1b[!p', '\x1bc', '\x1b[2;4r'],
      ...['\x1b[?1049h', '\x1b[?1049l', '\x1b[?1047h', '\x1b[?1047l', '\x1b[?47h', '\x1b[?47l'],
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const model = givenBack(bytesOf(changes.join('')));
        expect(comparable(model)).toEqual(comparable(fresh));
        model.dispose();
      }),
      fuzzRuns(2000),
    );
  });

  test.each(recordings().map((of) => [of.name, of] as const))('are taken back in the middle of %s', (_, { bytes }) => {
    for (let n = 1; n <= 10; n++) {
      const model = givenBack(bytes.subarray(0, Math.floor((bytes.length * n) / 10)));
      expect(comparable(model)).toEqual(comparable(fresh));
      model.dispose();
    }
  });

  test.each([
    ['', ''],
    ['plain \x1b[2J\x1b[3;4Htext', ''],
    ['\x1b[31mred\x1b[m', ''],
    ['\x1b[31mred', '\x1b[m'],
    ['\x1b[?2004h\x1b[?2004l', ''],
    ['\x1b[?1000;1006h', '\x1b[?1000l\x1b[?1006l'],
    ['\x1b[?25l\x1b[?7l', '\x1b[?25h\x1b[?7h'],
    ['\x1b[?1049h\x1b[?1h\x1b=', '\x1b>\x1b[?1l\x1b[?1049l'],
    ['\x1b]8;;https://a.b\x07x', '\x1b]8;;\x1b\\'],
    ['\x1b]8;;https://a.b\x07x\x1b]8;;\x07', ''],
    ['\x1b]11;#000000\x07', '\x1b]111\x1b\\'],
    ['\x1b]9;4;1;50\x07', '\x1b]9;4;0\x1b\\'],
    ['\x1b[4h\x1b[3;5r\x1b[2 q', '\x1b[4l\x1b[r\x1b[0 q'],
    ['\x1b[?1049h\x1bc', ''],
    ['\x1b(0\x1b7\x1b(B\x1b8', '\x1b(B'],
    ['\x1b[31m\x1b[s\x1b[m\x1b[u', '\x1b[m'],
    ['\x0e\x1b[?6h\x1b[?1048h\x0f\x1b[?6l\x1b[?1048l', '\x0f\x1b[?6l'],
    ['\x1b(0\x1b[?1049h\x1b(B\x1b[?1049l', '\x1b(B'],
    ['\x1b(0\x1b[?1049h\x1b(B', '\x1b[?1049l\x1b(B'],
    ['\x1b(0\x1b7\x1b(B', ''],
    ['\x1b7\x1b(0\x1b(B\x1b8', ''],
  ])('%j is ended by %j, and by nothing else', (printed, reset) => {
    const modes = new TerminalModeTracker();
    modes.feed(new ControlTokens().feed(bytesOf(printed)));
    expect(modes.takeReset()).toBe(reset);
    expect(modes.takeReset(), 'once').toBe('');
  });
});

describe('a terminal of another size', () => {
  const shown = (text: string, size: { cols: number; rows: number }) => {
    const model = new ScreenModel({ ...size, scrollbackLines: 0 });
    model.write(Buffer.from(text));
    return model;
  };

  test('is drawn at the top left, cut or with dots around it', () => {
    const frame = shown('\x1b[31mone\x1b[m 漢字字\r\ntwo\r\n', { cols: 10, rows: 3 }).frame();
    const larger = shown(new Letterbox({ cols: 14, rows: 5 }).draw(frame), { cols: 14, rows: 5 });
    expect(screenRows(larger)).toEqual([
      'one 漢字字····',
      'two       ····',
      '          ····',
      '·'.repeat(14),
      '·'.repeat(14),
    ]);
    const smaller = shown(new Letterbox({ cols: 7, rows: 2 }).draw(frame), { cols: 7, rows: 2 });
    expect(screenRows(smaller)).toEqual(['one 漢', 'two']);
    expect(smaller.frame().cursor.visible, 'it stands where there is no room').toBe(false);
    expect(larger.frame().cursor).toMatchObject({ row: 2, col: 0, visible: true });
  });

  test('is written again only where it has changed', () => {
    const box = new Letterbox({ cols: 12, rows: 4 });
    const model = shown('one\r\ntwo', { cols: 10, rows: 3 });
    box.draw(model.frame());
    model.write(Buffer.from('!'));
    const again = box.draw(model.frame());
    expect([again.includes('two!'), again.includes('one')]).toEqual([true, false]);
    expect(box.draw(model.frame())).toBe('\x1b[?25l\x1b[2;5H\x1b[?25h');
  });

  test('shows the same text as the terminal, as far as there is room (law)', () => {
    const side = fc.integer({ min: 2, max: 25 });
    fc.assert(
      fc.property(vtStream, side, side, (stream, cols, rows) => {
        const model = new ScreenModel({ cols: 20, rows: 6, scrollbackLines: 0 });
        // Combining marks and joiners without a base character join the character that was drawn before them.
        fc.pre(!/[\u0301\u200d]/.test(Buffer.from(stream).toString()));
        model.write(stream);
        const local = shown(new Letterbox({ cols, rows }).draw(model.frame()), { cols, rows });
        const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);
        for (const [row, { text: whole }] of model.frame().rows.entries()) {
          const text = whole.trimEnd();
          if (row >= rows || !isPlain(whole)) continue;
          expect(screenRows(local)[row]).toBe(
            `${text.padEnd(20).slice(0, cols)}${'·'.repeat(Math.max(0, cols - 20))}`.trimEnd(),
          );
        }
        model.dispose();
        local.dispose();
      }),
      fuzzRuns(200),
    );
  });
});
