import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { readFrameRow, readFrameRows } from '../../../src-main/screen/rows/frameRows.ts';
import { RowCache } from '../../../src-main/screen/rows/RowCache.ts';
import { RowMemory } from '../../../src-main/screen/rows/RowMemory.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const SIZE = { cols: 12, rows: 5 };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Output that changes cells, in ways that their numbers show and in ways that they do not. */
const piece = fc.oneof(
  fc.constantFrom(
    'a',
    'bc ',
    '\r\n',
    '\x1b[31m',
    '\x1b[m',
    '\x1b[1;7m',
    '\x1b[2J',
    '\x1b[K',
    '\x1b[2;3H',
    '\x1b[H',
    '\x1b[S',
    '\x1b[L',
  ),
  fc.constantFrom(
    'e\u0301',
    'e\u0300',
    '漢',
    '👩‍💻',
    '\x1b[4:3m',
    '\x1b[58;5;1m',
    '\x1b[?1049h',
    '\x1b[?1049l',
    'x'.repeat(30),
  ),
  fc.constantFrom('\x1b]8;;http://a\x1b\\l', '\x1b]8;;http://b\x1b\\l', '\x1b]8;;\x1b\\'),
);

describe('a row that is not read again', () => {
  test('is what reading it would give, after any changes (law)', () => {
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 6 }), { maxLength: 15 }), (writes) => {
        const model = new ScreenModel({ ...SIZE, scrollbackLines: 10 });
        const memory = new RowMemory();
        let before = readFrameRows(model.terminal, model.core, [], { memory });
        for (const [n, pieces] of writes.entries()) {
          model.write(encode(pieces.join('')));
          if (n === 7) model.resize({ cols: 9, rows: 6 });
          const rows = readFrameRows(model.terminal, model.core, before, { memory });
          expect(rows).toEqual(readFrameRows(model.terminal, model.core, []));
          before = rows;
        }
        model.dispose();
      }),
      fuzzRuns(300),
    );
  });

  test('is the same object as long as nothing in it changes', () => {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: 10 });
    const memory = new RowMemory();
    model.write(encode('\x1b[32mone\r\n\x1b[mtwo'));
    const first = readFrameRows(model.terminal, model.core, [], { memory });
    model.write(encode('!'));
    const second = readFrameRows(model.terminal, model.core, first, { memory });
    expect(second[0]).toBe(first[0]);
    expect(second[1]).toEqual({ text: 'two!', spans: [{ text: 'two!' }], wrapped: false });
    model.dispose();
  });
});

describe('a row that is known by its cells', () => {
  const readAll = (model: ScreenModel, known?: RowCache) => {
    const { active } = model.terminal.buffer;
    return Array.from({ length: active.length }, (_, at) => readFrameRow(model.core, active, at, { known }));
  };

  test('is what reading it would give, after any changes and wherever it stands (law)', () => {
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 6 }), { maxLength: 15 }), (writes) => {
        const model = new ScreenModel({ ...SIZE, scrollbackLines: 10 });
        const known = new RowCache();
        for (const [n, pieces] of writes.entries()) {
          model.write(encode(pieces.join('')));
          if (n === 7) model.resize({ cols: 9, rows: 6 });
          expect(readAll(model, known)).toEqual(readAll(model));
        }
        model.dispose();
      }),
      fuzzRuns(300),
    );
  });

  test('is the same object when it moved, went into the scrollback or was drawn again', () => {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: 10 });
    const known = new RowCache();
    const find = () => readAll(model, known).find(({ text }) => text === 'one');
    model.write(encode('\x1b[32mone\x1b[m\r\ntwo'));
    const first = find();
    expect(first?.spans[0]?.fg).toBe(2);
    model.write(encode('\r\n\n\n\n\n'));
    expect(find()).toBe(first);
    model.write(encode('\x1b[2J\x1b[3J\x1b[3;1H\x1b[32mone\x1b[m'));
    expect(find()).toBe(first);
    model.write(encode('\x1b[2J\x1b[Hone'));
    expect(find()).toEqual({ text: 'one', spans: [{ text: 'one' }], wrapped: false });
    model.dispose();
  });

  test('is forgotten after many others, and read again', () => {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: 10 });
    const known = new RowCache();
    const readFirst = () => readFrameRow(model.core, model.terminal.buffer.active, 0, { known });
    model.write(encode('first'));
    const first = readFirst();
    for (let n = 0; n < 1100; n += 1) {
      model.write(encode(`\x1b[2J\x1b[Hrow ${n}`));
      readFirst();
    }
    model.write(encode('\x1b[2J\x1b[Hfirst'));
    expect(readFirst()).toEqual(first);
    expect(readFirst()).not.toBe(first);
    model.dispose();
  });
});

describe('synchronized updates within one write', () => {
  const update = (text: string): string => `\x1b[?2026h\x1b[H${text}\x1b[?2026l`;

  test('that have ended leave the frame of what they drew', () => {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: 10 }, new FakeClock());
    model.frames.take();
    model.write(encode(`${update('one')}${update('two')}`));
    expect(model.frames.take().frame.rows[0]?.text).toBe('two');
    model.dispose();
  });

  test('of which the last is still open show the screen as it was before that one', () => {
    const model = new ScreenModel({ ...SIZE, scrollbackLines: 10 }, new FakeClock());
    model.frames.take();
    model.write(encode(`${update('one')}${update('two')} and\x1b[?2026h\x1b[Hhalf`));
    expect(model.frames.take().frame.rows[0]?.text).toBe('two and');
    model.write(encode('\x1b[?2026l'));
    expect(model.frames.take().frame.rows[0]?.text).toBe('halfand');
    model.dispose();
  });
});
