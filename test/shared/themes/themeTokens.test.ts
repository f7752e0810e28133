import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast, formatHex, parseHex, type Rgb } from '../../../src-main/contract/screen/color.ts';
import { Theme } from '../../../src-main/contract/window/theme.ts';
import { BUILTIN_THEMES, ownTheme } from '../../../src-main/shared/themes/builtinThemes.ts';
import { READ_RATIO, themeTokens } from '../../../src-main/shared/themes/themeTokens.ts';
import { ROOT } from '../../support/sourceFiles.ts';

const css = readFileSync(join(ROOT, 'src-renderer/ui/tokens.css'), 'utf8');
const GROUNDS = ['--background', '--chrome', '--raised'];
const READ = ['--text', '--text-2', '--text-3-read', '--red', '--green', '--amber', '--blue'];

const rgb = (color = ''): Rgb => parseHex(color) ?? [-1, -1, -1];
const hexColor = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(formatHex);
const anyTheme = fc.record({
  id: fc.constant('any'),
  name: fc.constant('Any'),
  kind: fc.constantFrom('dark' as const, 'light' as const),
  credit: fc.constant(''),
  background: hexColor,
  foreground: hexColor,
  cursor: hexColor,
  ansi: fc.array(hexColor, { minLength: 16, maxLength: 16 }),
});

/** Pairs of text and background colours with too little contrast. */
function faintPairs(theme: Theme): string[] {
  const tokens = themeTokens(theme);
  const pairs = READ.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const));
  return [...pairs, ['--on-accent', '--green'] as const, ['--ink', '--background'] as const]
    .filter(([text, ground]) => contrast(rgb(tokens[text]), rgb(tokens[ground])) < READ_RATIO)
    .map((pair) => pair.join(' on '));
}

test('there are eight dark and eight light themes, ours first, each with a name of its own', () => {
  const kinds = BUILTIN_THEMES.map(({ kind }) => kind);
  expect(kinds).toEqual([...Array(8).fill('dark'), ...Array(8).fill('light')]);
  expect([BUILTIN_THEMES[0]?.id, BUILTIN_THEMES[8]?.id]).toEqual(['ink', 'paper']);
  expect(new Set(BUILTIN_THEMES.map(({ id }) => id)).size).toBe(16);
});

describe.each(BUILTIN_THEMES)('$name', (theme) => {
  test('is a valid theme that says whose palette it is', () => {
    expect(Theme.parse(theme)).toEqual(theme);
    expect(theme.credit).toMatch(/, (MIT|Apache-2\.0)$/);
  });

  test('is dark or light as it says', () => {
    expect(contrast(rgb(theme.background), [255, 255, 255]) > 7).toBe(theme.kind === 'dark');
  });

  test('has legible text and hues on every surface', () => {
    expect(faintPairs(theme)).toEqual([]);
  });
});

test('any palette gives legible text and hues on every surface', () => {
  fc.assert(
    fc.property(anyTheme, (theme) => {
      expect(faintPairs(theme)).toEqual([]);
    }),
  );
});

test.each(['dark', 'light'] as const)('our %s theme has the colours of tokens.css', (kind) => {
  const part = css.slice(css.indexOf(`:root[data-theme="${kind}"]`));
  const token = (name: string) => new RegExp(`${name}: (#[0-9a-f]{6});`).exec(part)?.[1];
  const { background, foreground, cursor, ansi } = ownTheme(kind);
  expect({ background, foreground, cursor, ansi }).toEqual({
    background: token('--background'),
    foreground: token('--text'),
    cursor: token('--ansi-2'),
    ansi: Array.from({ length: 16 }, (_, index) => token(`--ansi-${index}`)),
  });
});

test('every colour token of tokens.css is derived for a theme', () => {
  const dark = css.slice(css.indexOf(':root,\n:root[data-theme="dark"]'), css.indexOf(':root[data-theme="light"]'));
  const names = [...dark.matchAll(/(--[a-z0-9-]+):/g)].map(([, name]) => name);
  const shared = ['--shadow']; // black or brown at a few percent: it suits every page of its kind
  expect(names.filter((name) => name && !(name in themeTokens(ownTheme('dark'))) && !shared.includes(name))).toEqual(
    [],
  );
});
