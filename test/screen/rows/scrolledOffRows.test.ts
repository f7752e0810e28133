import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { BlockRenderer } from '../../../src-main/screen/emulator/BlockRenderer.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { screenRows } from '../../support/screenState.ts';

const SIZE = { cols: 20, rows: 6, scrollbackLines: 100 };
const models: ScreenModel[] = [];

afterEach(() => {
  for (const model of models.splice(0)) model.dispose();
});

function collecting(size: Partial<typeof SIZE> = {}): ScreenModel {
  const model = new ScreenModel({ ...SIZE, ...size });
  models.push(model);
  model.leaving.collect(true);
  return model;
}

/** The rows that left the screen and then those on it, without blank rows. Writes the output in pieces of `chunkBytes`. */
function everything(output: string, chunkBytes = 4096, size: Partial<typeof SIZE> = {}): string[] {
  const model = collecting(size);
  const bytes = Buffer.from(output);
  const left: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    model.write(bytes.subarray(at, at + chunkBytes));
    left.push(...model.leaving.take().map(({ text }) => text));
  }
  return [...left, ...screenRows(model)].filter((text) => text !== '');
}

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`);
const print = (from: number, to: number) => lines(from, to).join('\r\n');

const SEQUENCES: readonly [string, string, string[]][] = [
  ['line feeds', print(1, 30), lines(1, 30)],
  ['IND', lines(1, 9).join('\r\x1bD'), lines(1, 9)],
  ['NEL', lines(1, 9).join('\x1bE'), lines(1, 9)],
  ['wraps', 'abcdefghij'.repeat(20), Array(10).fill('abcdefghijabcdefghij')],
  ['CSI S', `${print(1, 6)}\x1b[2S\x1b[3S`, lines(1, 6)],
  ['CSI S beyond the screen', `${print(1, 6)}\x1b[99S`, lines(1, 6)],
  ['a region under a title', `title\x1b[2;6r\x1b[2;1H${print(1, 30)}`, [...lines(1, 25), 'title', ...lines(26, 30)]],
  [
    'CSI S in a region under a title',
    `title\x1b[2;6r\x1b[2;1H${print(1, 5)}\x1b[2S`,
    ['line 1', 'line 2', 'title', ...lines(3, 5)],
  ],
  ['a region over a footer', `\x1b[6;1Hfooter\x1b[1;5r\x1b[1;1H${print(1, 30)}`, [...lines(1, 30), 'footer']],
  [
    'CSI S in a region over a footer',
    `\x1b[6;1Hfooter\x1b[1;5r\x1b[1;1H${print(1, 5)}\x1b[2S`,
    [...lines(1, 5), 'footer'],
  ],
  ['ED 3 after a scroll', `${print(1, 9)}\x1b[3J`, lines(1, 9)],
  ['RIS after a scroll', `${print(1, 9)}\x1bc`, lines(1, 3)],
  [
    'the alternate screen',
    `${print(1, 9)}\x1b[?1049h\x1b[H${print(10, 20)}\x1b[?1049l`,
    [...lines(1, 3), ...lines(10, 14), ...lines(4, 9)],
  ],
];

describe('a row that leaves the screen is handed on once, in order', () => {
  test.each(SEQUENCES)('by %s', (_, output, wanted) => {
    expect(everything(output)).toEqual(wanted);
  });

  test.each(SEQUENCES)('by %s, wherever the stream is cut', (_, output, wanted) => {
    for (let chunkBytes = 1; chunkBytes < 12; chunkBytes++) expect(everything(output, chunkBytes)).toEqual(wanted);
  });

  test.each([0, 1, 2, 5])(
    'by line feeds, with %i rows of scrollback and nobody taking them meanwhile',
    (scrollbackLines) => {
      expect(everything(print(1, 500), 1e6, { scrollbackLines })).toEqual(lines(1, 500));
    },
  );

  test('with its looks, and whether it goes on the row above', () => {
    const model = collecting();
    model.write(Buffer.from(`\x1b[31m${'r'.repeat(25)}\x1b[m${'\n'.repeat(6)}`));
    expect(model.leaving.take()).toMatchObject([
      { spans: [{ text: 'r'.repeat(20), fg: 1 }], wrapped: false },
      { spans: [{ text: 'rrrrr', fg: 1 }], wrapped: true },
    ]);
  });

  test('but not when it was erased, deleted or pushed off the bottom', () => {
    expect(everything(`${print(1, 6)}\x1b[2J`)).toEqual([]);
    expect(everything(`${print(1, 6)}\x1b[H\x1b[2M`)).toEqual(lines(3, 6));
    expect(everything(`${print(1, 6)}\x1b[H\x1b[2L`)).toEqual(lines(1, 4));
    expect(everything(`${print(1, 6)}\x1b[H\x1bM`)).toEqual(lines(1, 5));
    expect(everything(`${print(1, 6)}\x1b[2T`)).toEqual(lines(1, 4));
  });

  test('though the size changes', () => {
    const model = collecting();
    model.write(Buffer.from(`${print(1, 8)}`));
    model.resize({ cols: 10, rows: 4 });
    model.write(Buffer.from(`\r\n${print(9, 12)}`));
    const left = model.leaving.take().map(({ text }) => text);
    expect(left.slice(0, 2)).toEqual(lines(1, 2));
    expect(new Set([...left, ...screenRows(model)]).has('line 12')).toBe(true);
  });
});

/** Output that prints each numbered line once, scrolls in every way that a terminal can, and erases nothing. */
const scrolling = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant('line') },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((count) => `\x1b[${count}S`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\x1b[1;4r\x1b[4;1H', '\x1b[r\x1b[6;1H', '\x1b[3;6r\x1b[6;1H', '\x1b[2;5r\x1b[5;1H'),
    },
  ),
  { minLength: 5, maxLength: 60 },
);

test('every line that a program printed is either on the screen or was handed on, exactly once', () => {
  fc.assert(
    fc.property(scrolling, fc.integer({ min: 1, max: 50 }), fc.boolean(), (steps, chunkBytes, isBare) => {
      let count = 0;
      // Each line follows a scroll, so it is printed on a new last row of the region.
      const output = steps.map((step) => (step === 'line' ? `\n\r#${count++}.` : step)).join('');
      const shown = everything(`\x1b[6;1H${output}`, chunkBytes, isBare ? { scrollbackLines: 0 } : {});
      const printed = shown.filter((text) => text.startsWith('#')).map((text) => Number(text.slice(1, -1)));
      expect(printed.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n));
    }),
    fuzzRuns(1000),
  );
});

describe('the scrollback', () => {
  test('gets what CSI S takes off the top of the screen, as with line feeds', () => {
    const [up, fed] = [collecting(), collecting()];
    up.write(Buffer.from(`${print(1, 6)}\x1b[2S`));
    fed.write(Buffer.from(`${print(1, 6)}\n\n`));
    expect(up.frames.rowsAbove(9).map(({ text }) => text)).toEqual(lines(1, 2));
    expect(up.frames.rowsAbove(9)).toEqual(fed.frames.rowsAbove(9));
    expect(screenRows(up)).toEqual(screenRows(fed));
  });

  test('gets nothing from the alternate screen', () => {
    const model = collecting();
    model.write(Buffer.from(`\x1b[?1049h${print(1, 9)}\x1b[2S\x1b[?1049l`));
    expect(model.frame().scrollbackTotal).toBe(0);
  });
});

test("a block's rendered lines hold those that left through a scroll region", () => {
  const renderer = new BlockRenderer({ cols: 20, rows: 6, startRow: 0, resizes: [] });
  const output = Buffer.from(`title\x1b[2;6r\x1b[2;1H${print(1, 12)}\x1b[2S\x1b[r\x1b[6;1H\r\nend`);
  const given = [...output].flatMap((byte) => renderer.feed(Uint8Array.of(byte)));
  const all = [...given, ...renderer.end()].map(({ text }) => text).filter((text) => text !== '');
  renderer.dispose();
  expect(all).toEqual([...lines(1, 9), 'title', ...lines(10, 12), 'end']);
});
