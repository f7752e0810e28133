import { contrast, parseHex } from '../contract/screen/color.ts';
import type { Theme } from '../contract/window/theme.ts';
import { BUILTIN_THEMES } from '../shared/themes/builtinThemes.ts';
import { parseAlacrittyToml, parseAlacrittyYaml } from './formats/alacritty.ts';
import { parseBase16 } from './formats/base16.ts';
import { parseGhostty } from './formats/ghostty.ts';
import { parseIterm } from './formats/iterm.ts';
import { BadThemeFile, type FileColors } from './formats/ThemeFile.ts';
import { parseWindowsTerminal } from './formats/windowsTerminal.ts';

export const FORMATS =
  'iTerm2 (.itermcolors), Windows Terminal (.json), Ghostty, Alacritty (.toml, .yml) and base16 (.yaml)';

const MAX_NAME_CHARS = 80;
const MAX_ID_CHARS = 50;
const BUILTIN_IDS = new Set(BUILTIN_THEMES.map(({ id }) => id));

/** Reads a theme file of any known format. Throws `BadThemeFile` with what is wrong, where, and what to do. */
export function parseThemeFile(fileName: string, text: string): Theme {
  if (text.includes('\0')) throw new BadThemeFile(`The file is not text. Hansard reads ${FORMATS}.`);
  const stem = fileName.replace(/^.*[\\/]/, '').replace(/\.(itermcolors|json|toml|ya?ml|conf|theme)$/i, '');
  const colors = parserOf(fileName, text)(text);
  const name = (colors.name ?? stem).trim().slice(0, MAX_NAME_CHARS) || 'Imported theme';
  return {
    id: idOf(name),
    name,
    kind: isDark(colors.background) ? 'dark' : 'light',
    credit: '',
    background: colors.background,
    foreground: colors.foreground,
    cursor: colors.cursor ?? colors.foreground,
    ansi: colors.ansi,
  };
}

function parserOf(fileName: string, text: string): (text: string) => FileColors {
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (/\.itermcolors$/i.test(fileName) || start.startsWith('<')) return parseIterm;
  if (/\.json$/i.test(fileName) || start.startsWith('{')) return parseWindowsTerminal;
  if (/\.toml$/i.test(fileName)) return parseAlacrittyToml;
  const isYaml = /\.ya?ml$/i.test(fileName);
  if (isYaml || /^\s*base0[0-9a-f]\s*:/im.test(text))
    return /^\s*colors\s*:/m.test(text) ? parseAlacrittyYaml : parseBase16;
  if (/^\s*(palette|background)\s*=/m.test(text)) return parseGhostty;
  throw new BadThemeFile(`The format was not recognized. Hansard reads ${FORMATS}.`);
}

/** A name in letters that every file system takes; never one of a built-in theme. */
function idOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_ID_CHARS)
    .replace(/-+$/, '');
  if (id === '') return 'imported';
  return BUILTIN_IDS.has(id) ? `${id}-imported` : id;
}

function isDark(background: string): boolean {
  const page = parseHex(background) ?? [0, 0, 0];
  return contrast(page, [255, 255, 255]) >= contrast(page, [0, 0, 0]);
}
