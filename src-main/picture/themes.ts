import type { Palette } from '../contract/screen/palette.ts';
import type { Theme } from '../contract/window/theme.ts';
import { ownTheme } from '../shared/themes/builtinThemes.ts';

/** `dark` and `light` are our own themes. */
export type PictureTheme = 'dark' | 'light' | Theme;

/** The colours of a picture: a program fills the pane, so bold text has the normal text colour. */
export function themeOf(theme: PictureTheme): Palette & { readonly cursor: string } {
  const { background, foreground, cursor, ansi } = typeof theme === 'string' ? ownTheme(theme) : theme;
  return { background, foreground, strong: foreground, cursor, ansi };
}
