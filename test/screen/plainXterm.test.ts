import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { UnicodeGraphemesAddon } from '../../src-main/shared/xterm/graphemes.ts';
import { loadGraphemes } from '../../src-main/shared/xterm/xtermGuards.ts';
import { internalsOf } from '../../src-main/shared/xterm/xtermInternals.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { brokenStream, vtStream } from '../support/vtStreams.ts';

const SIZE = { cols: 20, rows: 6 };
const SCROLLBACK = 10;

/**
 * The emulator as its package provides it, with our table of widths, for comparison with our screen. It has no scrollback unless a case
 * needs one (see the exception about the saved cursor) and has our limit on joined characters per cell (see the last exception).
 */
class PlainXterm {
  readonly terminal: xterm.Terminal;
  readonly #core;

  constructor(scrollback = 0, hasOurWidths = true) {
    this.terminal = new xterm.Terminal({ ...SIZE, scrollback, allowProposedApi: true, logLevel: 'off' });
    this.#core = internalsOf(this.terminal);
    const addon = new UnicodeGraphemesAddon();
    if (hasOurWidths) loadGraphemes(this.terminal, addon);
    else this.terminal.loadAddon(addon);
  }

  /** Returns false when the emulator throws. */
  write(bytes: Uint8Array): boolean {
    try {
      this.#core._inputHandler.parse(bytes);
      return true;
    } catch {
      return false;
    }
  }
}

/** The state that a person sees or a program can query: cells with their attributes, the cursor, modes, the saved cursor. */
function seen(terminal: xterm.Terminal): object {
  const core = internalsOf(terminal);
  const { active, normal } = terminal.buffer;
  const cell = active.getNullCell();
  const rows = Array.from({ length: terminal.rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return Array.from({ length: terminal.cols }, (_, col) => {
      line?.getCell(col, cell);
      const colors = [cell.getFgColorMode(), cell.getFgColor(), cell.getBgColorMode(), cell.getBgColor()];
      return `${cell.getChars()}/${cell.getWidth()}/${colors.join()}/${cell.isBold()}${cell.isInverse()}${cell.isUnderline()}`;
    }).join('|');
  });
  const own = core.buffers.active;
  return {
    rows,
    isAlt: active !== normal,
    cursor: [own.x, own.y],
    saved: [own.savedX, Math.max(0, own.savedY - own.ybase)],
    region: [own.scrollTop, own.scrollBottom],
    modes: { ...core.coreService.decPrivateModes, ...core.coreService.modes },
    isHidden: core.coreService.isCursorHidden,
    charset: core._charsetService.charset?.q ?? null,
  };
}

/** Both states after the same bytes; null when plain xterm throws. */
function both(stream: Uint8Array): { ours: object; plain: object } | null {
  const model = new ScreenModel({ ...SIZE, scrollbackLines: SCROLLBACK });
  const plain = new PlainXterm();
  model.write(stream);
  const isFine = plain.write(stream);
  const result = isFine ? { ours: seen(model.terminal), plain: seen(plain.terminal) } : null;
  model.dispose();
  plain.terminal.dispose();
  return result;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('our screen shows what plain xterm shows', () => {
  test.each([
    ['any stream a program could print', vtStream],
    ['streams that are cut, nested and broken in their sequences', brokenStream],
  ])('after %s', (_, streams) => {
    fc.assert(
      fc.property(streams, (stream) => {
        const shown = both(stream);
        fc.pre(shown !== null);
        expect(shown?.ours).toEqual(shown?.plain);
      }),
      fuzzRuns(1500),
    );
  });

  test.each([
    ['CSI S', '\x1b[2S'],
    ['CSI S in a region at the top', '\x1b[1;4r\x1b[3;5H\x1b7\x1b[2S'],
    ['CSI S in a region below', '\x1b[2;5r\x1b[3;5H\x1b7\x1b[2S'],
    ['CSI S with a full scrollback', `${'\n'.repeat(30)}\x1b[3;5H\x1b7\x1b[2S`],
    ['a count beyond the screen', '\x1b[300S'],
    ['line feeds that scroll', '\x1b[6H\n\n\n'],
    ['wrapped lines that scroll', `\x1b[6H${'x'.repeat(70)}`],
    ['IND and NEL that scroll', '\x1b[6H\x1bD\x1bE'],
    ['line feeds in a region at the top', '\x1b[1;3r\x1b[3H\n\n'],
  ])('%s between saving and restoring the cursor', (_, between) => {
    const shown = both(bytesOf(`one\r\ntwo\r\nthree\x1b7${between}\x1b8X`));
    expect(shown?.ours).toEqual(shown?.plain);
  });
});

/** All intended differences. Each test shows one, so that it fails when a later xterm behaves like us. */
describe('our screen differs from plain xterm on purpose', () => {
  test('CSI S keeps the rows that leave the top in the scrollback, where plain xterm drops them', () => {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: SCROLLBACK });
    const plain = new PlainXterm();
    const stream = bytesOf('one\r\ntwo\r\nthree\x1b[2S');
    model.write(stream);
    plain.write(stream);
    expect([model.terminal.buffer.normal.baseY, plain.terminal.buffer.normal.baseY]).toEqual([2, 0]);
  });

  test('DECRC goes back to the saved row of the screen, where plain xterm with room in its scrollback goes higher', () => {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: SCROLLBACK });
    const plain = new PlainXterm(SCROLLBACK);
    const full = new PlainXterm(0);
    const rowsAfter = (stream: string) =>
      [model, plain, full].map((each) => {
        each.write(bytesOf(stream));
        return each.terminal.buffer.active.cursorY;
      });
    expect(rowsAfter('\x1b[4;1H\x1b7\x1b[6;1H\n\n\x1b8')).toEqual([3, 1, 3]);
    expect(rowsAfter('\x1b[4;1H\x1b7\x1b[3J\x1b8')).toEqual([3, 5, 3]);
  });

  test('CSI 1 J in the last cell erases the screen, where plain xterm throws', () => {
    expect(new PlainXterm(SCROLLBACK).write(bytesOf('text\x1b[6;20H\x1b[1J'))).toBe(false);
    const model = new ScreenModel({ ...SIZE, scrollbackLines: SCROLLBACK });
    model.write(bytesOf('text\x1b[6;20H\x1b[1J'));
    expect(model.frame().rows.every(({ text }) => text.trim() === '')).toBe(true);
  });

  test('a character cut by a chunk is whole, where plain xterm loses one whose second byte is 0x80', () => {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: SCROLLBACK });
    const plain = new PlainXterm();
    for (const chunk of [Uint8Array.of(0xe2, 0x80), Uint8Array.of(0xa6)]) {
      model.write(chunk);
      plain.write(chunk);
    }
    const first = (terminal: xterm.Terminal) => terminal.buffer.active.getLine(0)?.getCell(0)?.getChars();
    expect([first(model.terminal), first(plain.terminal)]).toEqual(['…', '']);
  });

  test('a cell joins at most 32 characters, where plain xterm joins any number', () => {
    const joinedIn = (plain: PlainXterm) => {
      plain.write(bytesOf(`e${'\u0301'.repeat(100)}`));
      return plain.terminal.buffer.active.getLine(0)?.getCell(0)?.getChars().length;
    };
    expect([joinedIn(new PlainXterm(0, true)), joinedIn(new PlainXterm(0, false))]).toEqual([32, 101]);
  });
});
