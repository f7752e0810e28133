import { MediaQuery } from 'svelte/reactivity';
import type { Settings } from '../../../src-main/contract/settings.ts';
import type { Theme } from '../../../src-main/contract/window/theme.ts';
import { themeTokens } from '../../../src-main/shared/themes/themeTokens.ts';

const systemIsLight = new MediaQuery('(prefers-color-scheme: light)', false);

/** The look that the setting currently selects. */
export function shownTheme(setting: Settings['theme']): 'dark' | 'light' {
  if (setting !== 'system') return setting;
  return systemIsLight.current ? 'light' : 'dark';
}

/**
 * Applies the theme to the page. Our own themes are in ui/tokens.css, selected by `data-theme`; the tokens of other themes override them.
 * `data-palette` changes last, because its observers then read the new colours.
 */
export function showTheme(kind: 'dark' | 'light', theme?: Theme): void {
  const { style, dataset } = document.documentElement;
  const tokens = theme ? themeTokens(theme) : {};
  for (const name of [...style]) if (name.startsWith('--') && !(name in tokens)) style.removeProperty(name);
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, value);
  dataset.theme = kind;
  const chrome = getComputedStyle(document.documentElement).getPropertyValue('--chrome');
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', chrome); // colours the bars of a phone's browser
  dataset.palette = theme?.id ?? 'own';
}
