import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StyledSpan } from '../../src-main/contract/block.ts';
import { CELL, MARGIN_PX } from '../../src-main/picture/geometry.ts';
import { screenSvg } from '../../src-main/picture/screenSvg.ts';
import { themeOf } from '../../src-main/picture/themes.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { frameOf, rowOf } from '../support/frames.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { type Drawn, readSvg } from '../support/readSvg.ts';
import { ROOT } from '../support/sourceFiles.ts';

/** The screen of an emulator after `output`. */
function shown(output: string, size = { cols: 40, rows: 4 }) {
  const model = new ScreenModel({ ...size, scrollbackLines: 0 });
  try {
    model.write(Buffer.from(output));
    return model.frame();
  } finally {
    model.dispose();
  }
}

const columnOf = (x: number): number => (x - MARGIN_PX) / CELL.width;

/** The words of a picture in their cells: row, column, text. */
function wordsOf(svg: string): [row: number, col: number, text: string][] {
  return readSvg(svg)
    .filter(({ name }) => name === 'text')
    .map(({ attributes, left, top, text }) => {
      const isMiddle = attributes['text-anchor'] === 'middle';
      const col = columnOf(left + Number(attributes.x));
      return [(top - MARGIN_PX) / CELL.height, isMiddle ? Math.floor(col - 0.5 + 0.01) : col, text];
    });
}

const rects = (svg: string): Drawn[] => readSvg(svg).filter(({ name }) => name === 'rect');

test.each(['dark', 'light'] as const)('the %s theme has the colours of the window', (theme) => {
  const css = readFileSync(join(ROOT, 'src-renderer/ui/tokens.css'), 'utf8');
  const part = css.slice(css.indexOf(`:root[data-theme="${theme}"]`));
  const token = (name: string) => new RegExp(`${name}: (#[0-9a-f]{6});`).exec(part)?.[1];
  expect(themeOf(theme)).toEqual({
    background: token('--background'),
    foreground: token('--text'),
    strong: token('--text'),
    cursor: token('--ansi-2'),
    ansi: Array.from({ length: 16 }, (_, index) => token(`--ansi-${index}`)),
  });
});

describe('a picture', () => {
  test('has every word in its cells, wide characters on two', () => {
    const svg = screenSvg(shown('ab  cd\r\n漢字x\r\n  e\u0301 \u{1f680}!'), 'dark');
    expect(wordsOf(svg)).toEqual([
      [0, 0, 'ab'],
      [0, 4, 'cd'],
      [1, 0, '漢'],
      [1, 2, '字'],
      [1, 4, 'x'],
      [2, 2, 'e\u0301'],
      [2, 4, '\u{1f680}'],
      [2, 6, '!'],
    ]);
  });

  test('has the colours that were asked for, as the theme has them', () => {
    const svg = screenSvg(shown('\x1b[41m \x1b[48;5;208m \x1b[48;2;1;2;3m \x1b[0;7m \x1b[0m'), 'dark');
    const grounds = rects(svg).slice(1, -1);
    expect(grounds.map(({ attributes, left }) => [columnOf(left + Number(attributes.x)), attributes.fill])).toEqual([
      [0, '#e0695f'],
      [1, '#ff8700'],
      [2, '#010203'],
      [3, '#e8e4db'],
    ]);
  });

  test.each([
    ['none', '\x1b[4:0m', undefined],
    ['one', '\x1b[4m', 'M0 17.5h9'],
    ['double', '\x1b[4:2m', 'M0 17.5h9M0 15.5h9'],
    ['curly', '\x1b[4:3m', 'M0 17.5q2.25 -3 4.5 0t4.5 0'],
  ])('underlines: %s', (_, sgr, d) => {
    const svg = screenSvg(shown(`${sgr}a`), 'dark');
    expect(readSvg(svg).find(({ name }) => name === 'path')?.attributes.d).toBe(d);
  });

  test('an underline has its own colour, and dashes', () => {
    const svg = screenSvg(shown('\x1b[4:5;58:2::255:0:0ma'), 'dark');
    const line = readSvg(svg).find(({ name }) => name === 'path')?.attributes;
    expect(line).toMatchObject({ stroke: '#ff0000', 'stroke-dasharray': '5 4' });
  });

  test('bold, italic and struck text is', () => {
    const svg = screenSvg(shown('\x1b[1;3;9ma'), 'dark');
    expect(readSvg(svg).find(({ attributes }) => attributes['font-weight'] === '600')?.attributes).toMatchObject({
      'font-style': 'italic',
    });
    expect(readSvg(svg).find(({ name }) => name === 'path')?.attributes.d).toBe('M0 10.5h9');
  });

  test('what a program hides is not in it', () => {
    expect(screenSvg(shown('\x1b[8msecret\x1b[0m'), 'dark')).not.toMatch(/secret/);
  });

  test.each([
    ['as the window has it', '', { width: '2', height: '20' }],
    ['a block', '\x1b[2 q', { width: '9', height: '20' }],
    ['a line below', '\x1b[4 q', { width: '9', height: '2' }],
    ['a bar', '\x1b[6 q', { width: '2', height: '20' }],
  ])('the cursor is %s', (_, choice, size) => {
    const cursor = rects(screenSvg(shown(`${choice}ab`), 'dark')).at(-1);
    expect(cursor?.attributes).toMatchObject({ ...size, fill: '#5fbb8d' });
    expect(columnOf((cursor?.left ?? 0) + Number(cursor?.attributes.x))).toBe(2);
  });

  test('a hidden cursor is not in it, and one behind the last column stands on it', () => {
    expect(rects(screenSvg(shown('\x1b[?25lab'), 'dark'))).toHaveLength(1);
    const atEdge = rects(screenSvg(shown('x'.repeat(40)), 'dark')).at(-1);
    expect(columnOf((atEdge?.left ?? 0) + Number(atEdge?.attributes.x))).toBe(39);
  });

  test('runs nothing and loads nothing', () => {
    const svg = screenSvg(shown('\x1b]8;;https://example.org\x07link\x1b]8;;\x07 <script>&"\''), 'dark');
    expect(svg).not.toMatch(/<script|href|url\(|<style|<image|<foreignObject| on[a-z]+=/i);
    expect(wordsOf(svg).map(([, , text]) => text)).toEqual(['link', '<script>&"\'']);
  });
});

const COLORS = fc.oneof(fc.nat(255), fc.constantFrom('#000000', '#ff00aa'));
const FLAG = fc.constant(true as const);
const anySpan: fc.Arbitrary<StyledSpan> = fc.record(
  {
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(']]>', '<!--', '&amp;', '\ud800', '\u202e', '┌─╬▀⣿', '\u0000\u0008\u001b'),
    ),
    fg: COLORS,
    bg: COLORS,
    bold: FLAG,
    dim: FLAG,
    italic: FLAG,
    underline: FLAG,
    underlineStyle: fc.constantFrom('double' as const, 'curly' as const, 'dotted' as const, 'dashed' as const),
    inverse: FLAG,
    strike: FLAG,
    hidden: FLAG,
    href: fc.string(),
  },
  { requiredKeys: ['text'] },
);

test('whatever a screen holds, its picture is well-formed and has no control character', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anySpan, { maxLength: 5 }), { maxLength: 6 }), fc.nat(9), (rows, col) => {
      const frame = frameOf(
        rows.map((spans) => rowOf(spans)),
        { cols: 30, cursor: { row: 0, col, visible: true, shape: 'block' } },
      );
      const svg = screenSvg(frame, 'dark');
      expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/);
      expect(() => readSvg(svg)).not.toThrow();
    }),
    fuzzRuns(300),
  );
});

test('text that is printed is read back from its cells, row by row', () => {
  const line = fc.string({ unit: fc.constantFrom(...'abcXYZ019 <>&"\'漢é'), maxLength: 18 });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      const frame = shown(lines.join('\r\n'));
      const read = lines.map(() => '');
      for (const [row, col, text] of wordsOf(screenSvg(frame, 'light'))) {
        const cells = [...(read[row] ?? '')].reduce((sum, char) => sum + (char === '漢' ? 2 : 1), 0);
        read[row] += ' '.repeat(col - cells) + text;
      }
      expect(read).toEqual(lines.map((text) => text.trimEnd()));
    }),
    fuzzRuns(200),
  );
});

describe('box drawing', () => {
  /** Whether a filled shape of the picture covers the point. */
  const inked = (svg: string, x: number, y: number): boolean =>
    readSvg(svg)
      .filter(({ name }) => name === 'path')
      .some(({ attributes, left, top }) =>
        [...(attributes.d ?? '').matchAll(/M(\S+) (\S+)h(\S+)v(\S+)h/g)].some(([, mx, my, w, h]) => {
          const [from, above] = [left + Number(mx), top + Number(my)];
          return x >= from && x < from + Number(w) && y >= above && y < above + Number(h);
        }),
      );

  test.each([
    ['light', '┌─┬─┐', '├─┼─┤', '└─┴─┘'],
    ['heavy', '┏━┳━┓', '┣━╋━┫', '┗━┻━┛'],
    ['double', '╔═╦═╗', '╠═╬═╣', '╚═╩═╝'],
    ['double across', '╒═╤═╕', '╞═╪═╡', '╘═╧═╛'],
    ['double down', '╓─╥─╖', '╟─╫─╢', '╙─╨─╜'],
  ])('%s lines join over the edges of all cells', (_, ...lines) => {
    const svg = screenSvg(shown(lines.join('\r\n')), 'dark');
    const across = { top: 0, bottom: 2 * CELL.height };
    for (let x = MARGIN_PX + 4; x < MARGIN_PX + 4.5 * CELL.width; x += 1)
      for (const y of Object.values(across))
        expect(
          [9, 8, 10].some((at) => inked(svg, x, MARGIN_PX + y + at)),
          `${x} ${y}`,
        ).toBe(true);
    const isDown = (col: number, y: number) => [4, 3, 5].some((at) => inked(svg, MARGIN_PX + col * CELL.width + at, y));
    for (let y = MARGIN_PX + 9; y < MARGIN_PX + 2.4 * CELL.height; y += 1)
      for (const col of [0, 2, 4]) // between two lines across there is 1 px of nothing
        expect(isDown(col, y) || (isDown(col, y - 1) && isDown(col, y + 1)), `${col} ${y}`).toBe(true);
  });

  test('a full block fills its cell and no more', () => {
    const svg = screenSvg(shown(' █'), 'dark');
    const row = Array.from({ length: 3 * CELL.width }, (_, x) => inked(svg, MARGIN_PX + x, MARGIN_PX + 19));
    expect(row).toEqual(row.map((_, x) => x >= CELL.width && x < 2 * CELL.width));
  });

  test('every character of box drawing, blocks and Braille patterns is drawn, the empty pattern excepted', () => {
    const all = [...range(0x2500, 0x259f), ...range(0x2801, 0x28ff)];
    const undrawn = all.filter((char) => !/<path/.test(screenSvg(frameOf([char]), 'dark')));
    expect(undrawn).toEqual([]);
    expect(wordsOf(screenSvg(frameOf([all.join('').slice(0, 80)]), 'dark'))).toEqual([]);
  });
});

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
}
