import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast, ensureContrast, formatHex, parseHex, type Rgb } from '../../../src-main/contract/screen/color.ts';
import { type Palette, resolveColor } from '../../../src-main/contract/screen/palette.ts';
import { MIN_CONTRAST } from '../../../src-main/contract/screen/spanColors.ts';
import { spanStyle } from '../../../src-renderer/cards/output/spanStyle.ts';

const tokens = readFileSync(new URL('../../../src-renderer/ui/tokens.css', import.meta.url), 'utf8');

/** The palette that a theme's part of tokens.css gives. */
function paletteOf(theme: 'dark' | 'light'): Palette {
  const from = tokens.indexOf(`:root[data-theme="${theme}"]`);
  const part = tokens.slice(from, tokens.indexOf('\n}', from));
  const token = (name: string) => new RegExp(`${name}: (#[0-9a-f]{6});`).exec(part)?.[1] ?? `no ${name}`;
  return {
    background: token('--background'),
    foreground: token('--text-2'),
    strong: token('--text'),
    ansi: Array.from({ length: 16 }, (_, index) => token(`--ansi-${index}`)),
  };
}

const rgb = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255));
const hex = (color: string): Rgb => parseHex(color) ?? [-1, -1, -1];

test('black on white is 21 and a colour on itself 1', () => {
  expect([contrast([0, 0, 0], [255, 255, 255]), contrast([10, 200, 30], [10, 200, 30])]).toEqual([21, 1]);
});

test('every colour can be read on every ground, and one that could be is left as it was', () => {
  fc.assert(
    fc.property(rgb, rgb, (color, ground) => {
      const legible = ensureContrast(color, ground, MIN_CONTRAST);
      expect(contrast(legible, ground)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      if (contrast(color, ground) >= MIN_CONTRAST) expect(legible).toEqual(color);
    }),
  );
});

test('a colour is read back as it was written', () => {
  fc.assert(
    fc.property(rgb, (color) => {
      expect(parseHex(formatHex(color))).toEqual(color);
    }),
  );
});

describe.each(['dark', 'light'] as const)('%s', (theme) => {
  const palette = paletteOf(theme);

  test('the palette is legible on its ground, black in the dark excepted', () => {
    const colors = [palette.foreground, palette.strong, ...palette.ansi.slice(theme === 'dark' ? 1 : 0)];
    const tooFaint = colors.filter((color) => contrast(hex(color), hex(palette.background)) < MIN_CONTRAST);
    expect(tooFaint).toEqual([]);
  });

  test('every pair of colours that a program can ask for is drawn legibly', () => {
    const color = fc.oneof(fc.nat(255), rgb.map(formatHex));
    const look = { fg: color, bg: color, bold: fc.constant(true as const), inverse: fc.constant(true as const) };
    fc.assert(
      fc.property(fc.record(look, { requiredKeys: ['fg'] }), (span) => {
        const style = spanStyle(span, palette);
        const ink = /(?:^|;)color:(#[0-9a-f]{6})/.exec(style)?.[1] ?? '';
        const ground = /background:(#[0-9a-f]{6})/.exec(style)?.[1] ?? palette.background;
        // Written as whole numbers, which can cost a hundredth.
        expect(contrast(hex(ink), hex(ground))).toBeGreaterThanOrEqual(MIN_CONTRAST - 0.05);
      }),
    );
  });

  test('plain output needs no style', () => {
    expect(spanStyle({}, palette)).toBe('');
  });

  test('inverse without colours swaps ink and ground', () => {
    expect(spanStyle({ inverse: true }, palette)).toContain(`background:${palette.foreground}`);
  });
});

test.each([
  [16, [0, 0, 0]],
  [21, [0, 0, 255]],
  [196, [255, 0, 0]],
  [231, [255, 255, 255]],
  [232, [8, 8, 8]],
  [255, [238, 238, 238]],
] as const)('index %i of the 256 colours', (index, color) => {
  expect(resolveColor(index, paletteOf('dark'))).toEqual(color);
});

test('what is no colour has none', () => {
  const palette = paletteOf('dark');
  expect([256, -1, 1.5, 'red', '#12', 'url(x)'].map((color) => resolveColor(color, palette))).toEqual(
    Array.from({ length: 6 }),
  );
});
