import { MediaQuery } from 'svelte/reactivity';
import type { Settings } from '../../src-main/contract/settings.ts';

const systemIsLight = new MediaQuery('(prefers-color-scheme: light)', false);

/** The look that a setting means now. */
export function shownTheme(setting: Settings['theme']): 'dark' | 'light' {
  if (setting !== 'system') return setting;
  return systemIsLight.current ? 'light' : 'dark';
}

/** Puts the look on the page; ui/tokens.css follows `data-theme`. */
export function showTheme(theme: 'dark' | 'light'): void {
  document.documentElement.dataset.theme = theme;
}
