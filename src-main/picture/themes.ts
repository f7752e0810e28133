import type { Palette } from '../contract/screen/palette.ts';

export type PictureTheme = 'dark' | 'light';

/** As the window's tokens have them (src-renderer/ui/tokens.css), a program having the pane; a test compares both. */
const THEMES: Readonly<Record<PictureTheme, Palette & { readonly cursor: string }>> = {
  dark: {
    background: '#14161a',
    foreground: '#e8e4db',
    strong: '#e8e4db',
    cursor: '#5fbb8d',
    ansi: [
      ...['#2a2e35', '#e0695f', '#5fbb8d', '#dfae55', '#86b3dd', '#c594c9', '#6fbcc0', '#cfcabf'],
      ...['#85817a', '#f08b81', '#83d3aa', '#f0c878', '#a8cbee', '#ddb1e0', '#93d5d8', '#f6f3ec'],
    ],
  },
  light: {
    background: '#faf8f2',
    foreground: '#26241f',
    strong: '#26241f',
    cursor: '#0f6b47',
    ansi: [
      ...['#26241f', '#a93a31', '#0f6b47', '#855b00', '#23609b', '#84407f', '#17686d', '#6a665c'],
      ...['#736e65', '#bf4a40', '#197a54', '#946500', '#2f72b3', '#964f90', '#1f777c', '#4a473f'],
    ],
  },
};

export function themeOf(theme: PictureTheme): Palette & { readonly cursor: string } {
  return THEMES[theme];
}
