import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatHex } from '../../src-main/contract/screen/color.ts';
import { Theme } from '../../src-main/contract/window/theme.ts';
import { BadThemeFile } from '../../src-main/themes/formats/ThemeFile.ts';
import { parseThemeFile } from '../../src-main/themes/parseThemeFile.ts';
import { type Colors, WRITE } from './support/writeThemeFiles.ts';

const hexColor = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(formatHex);
const colorsOf = fc.record({
  background: hexColor,
  foreground: hexColor,
  cursor: hexColor,
  ansi: fc.array(hexColor, { minLength: 16, maxLength: 16 }),
});

describe.each(Object.entries(WRITE))('%s', (fileName, write) => {
  test('gives back every colour that was written', () => {
    fc.assert(
      fc.property(colorsOf, (colors) => {
        const theme = parseThemeFile(fileName, write(colors));
        expect(theme).toMatchObject({ id: 'harbour', name: 'Harbour', ...colors });
        expect(Theme.parse(theme)).toEqual(theme);
      }),
    );
  });

  test('is refused with a reason when a colour is missing or wrong', () => {
    const [colors] = fc.sample(colorsOf, { numRuns: 1, seed: 1 });
    const text = write({ ...(colors as Colors), ansi: Array.from({ length: 16 }, () => '#abcdef') });
    const [line = ''] = text.split('\n').filter((candidate) => /red|palette = 1=|Ansi 1 /.test(candidate));
    expect(() => parseThemeFile(fileName, text.replace(line, ''))).toThrow(BadThemeFile);
  });

  test('never fails in another way, wherever it is cut', () => {
    const text = write({
      background: '#000000',
      foreground: '#ffffff',
      cursor: '#ffffff',
      ansi: Array(16).fill('#123456'),
    });
    fc.assert(
      fc.property(fc.nat(text.length), (end) => {
        try {
          parseThemeFile(fileName, text.slice(0, end));
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(BadThemeFile);
        }
      }),
    );
  });
});

describe('base16', () => {
  const bases = Array.from({ length: 16 }, (_, index) => index.toString(16).toUpperCase().padStart(2, '0'));
  const digits = (index: number) => (index * 1_050_000).toString(16).padStart(6, '0');

  test.each([
    [
      'bases at the top',
      `scheme: "Low Tide"\nauthor: "nobody"\n${bases.map((base, at) => `base${base}: "${digits(at)}"`).join('\n')}`,
    ],
    [
      'a palette',
      `system: base16\nname: Low Tide\npalette:\n${bases.map((base, at) => `  base${base}: "#${digits(at)}"`).join('\n')}`,
    ],
  ])('with %s gives the colours of its terminal template', (_, text) => {
    const theme = parseThemeFile('x.yaml', text);
    expect([theme.id, theme.name, theme.kind]).toEqual(['low-tide', 'Low Tide', 'dark']);
    expect([theme.background, theme.foreground]).toEqual(['#000000', `#${digits(5)}`]);
    expect([theme.ansi[1], theme.ansi[2], theme.ansi[8], theme.ansi[15]]).toEqual(
      [8, 11, 3, 7].map((at) => `#${digits(at)}`),
    );
  });
});

test.each([
  [
    'a.json',
    '{ "background": "#000", }}',
    'The JSON is malformed in line 1, column 26: something stands behind the end of the JSON.',
  ],
  ['a.json', '{"schemes": [{}, {}]}', 'The file holds 2 schemes. Keep one object of "schemes" in the file.'],
  ['a.json', '{"background": "navy"}', '"background" is "navy", which is not a colour. Write it like #1a2b3c.'],
  ['a.toml', 'colors = \n', 'The TOML is malformed in line 1'],
  [
    'a.toml',
    '[colors.normal]\nblack = "ink"',
    'colors.normal.black is "ink", which is not a colour. Write it like #1a2b3c.',
  ],
  ['a.yaml', 'a: [', 'The YAML is malformed in line 1'],
  ['a.yaml', '- 1', 'The file has no keys. Choose a theme of Alacritty or base16.'],
  ['a.itermcolors', 'text', 'The file is not an XML property list. Export it again from iTerm2.'],
  ['a', 'background = teal', 'background (line 1) is "teal", which is not a colour. Write it like #1a2b3c.'],
  ['a', 'palette = #123456', 'palette (line 1) has no index. Write it like palette = 4=#7aa2f7.'],
  ['a.txt', 'hello', 'The format was not recognized.'],
  ['a.png', '\u0089PNG\0', 'The file is not text.'],
])('%s with %j is refused: %s', (fileName, text, reason) => {
  const message = (() => {
    try {
      return `accepted: ${parseThemeFile(fileName, text).id}`;
    } catch (thrown) {
      return thrown instanceof BadThemeFile ? thrown.message : String(thrown);
    }
  })();
  expect(message).toContain(reason);
});

test('a file cannot take the name of a built-in theme', () => {
  const text = WRITE.Harbour?.({
    background: '#fff0f0',
    foreground: '#000000',
    cursor: '#000000',
    ansi: Array(16).fill('#123456'),
  });
  expect(parseThemeFile('Nord', text ?? '')).toMatchObject({ id: 'nord-imported', name: 'Nord', kind: 'light' });
});
