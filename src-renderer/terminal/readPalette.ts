import type { ITheme } from '@xterm/xterm';
import { contrast, formatHex, mix, parseHex, type Rgb } from '../../src-main/contract/screen/color.ts';
import type { Palette } from '../../src-main/contract/screen/palette.ts';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const BLACK: Rgb = [0, 0, 0];

/** Reads the theme's colours from the current tokens. */
export function readPalette(root: Element = document.documentElement): Palette {
  const style = getComputedStyle(root);
  const token = (name: string, or: string) => style.getPropertyValue(name).trim() || or;
  return {
    background: token('--background', '#14161a'),
    foreground: token('--ink', token('--text', '#e8e4db')),
    strong: token('--ink', token('--text', '#e8e4db')),
    cursor: token('--cursor', token('--ansi-2', '#5fbb8d')),
    ansi: Array.from({ length: 16 }, (_, index) => token(`--ansi-${index}`, '#808080')),
  };
}

/** Calls `changed` when the theme changes. The theme is an attribute of the root element, or the system's preference without one. */
export function watchPalette(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-palette', 'class'],
  });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', changed);
  };
}

/** The emulator's theme: its default text has the colour of finished output. */
export function xtermTheme(palette: Palette): ITheme {
  const page = parseHex(palette.background) ?? BLACK;
  const green = parseHex(palette.ansi[2] ?? '') ?? page;
  const theme: ITheme = {
    background: palette.background,
    foreground: palette.foreground,
    cursor: palette.cursor ?? palette.strong,
    cursorAccent: palette.background,
    selectionBackground: formatHex(mix(page, green, contrast(page, BLACK) < 5 ? 0.32 : 0.2)),
    scrollbarSliderBackground: `${palette.foreground}33`,
    scrollbarSliderHoverBackground: `${palette.foreground}55`,
    scrollbarSliderActiveBackground: `${palette.foreground}66`,
    overviewRulerBorder: '#00000000',
  };
  for (const [index, name] of NAMES.entries()) {
    const bright = `bright${name.charAt(0).toUpperCase()}${name.slice(1)}` as `bright${Capitalize<typeof name>}`;
    theme[name] = palette.ansi[index] ?? palette.foreground;
    theme[bright] = palette.ansi[index + 8] ?? palette.foreground;
  }
  return theme;
}
