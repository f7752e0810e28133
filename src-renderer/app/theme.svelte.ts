import { untrack } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';
import type { Settings } from '../../src-main/contract/settings.ts';
import type { Theme } from '../../src-main/contract/window/theme.ts';
import { themeTokens } from '../../src-main/shared/themes/themeTokens.ts';
import { guard } from '../tabs/tabActions.ts';
import type { AppState } from './AppState.svelte.ts';
import { showClock } from './clock.svelte.ts';

const systemIsLight = new MediaQuery('(prefers-color-scheme: light)', false);

/** The look that a setting means now. */
export function shownTheme(setting: Settings['theme']): 'dark' | 'light' {
  if (setting !== 'system') return setting;
  return systemIsLight.current ? 'light' : 'dark';
}

/**
 * Applies the theme to the page. Our own themes are in ui/tokens.css, by `data-theme`; the tokens of other themes override them.
 * `data-palette` changes last: who watches it reads the new colours.
 */
export function showTheme(kind: 'dark' | 'light', theme?: Theme): void {
  const { style, dataset } = document.documentElement;
  const tokens = theme ? themeTokens(theme) : {};
  for (const name of [...style]) if (name.startsWith('--') && !(name in tokens)) style.removeProperty(name);
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, value);
  dataset.theme = kind;
  const chrome = getComputedStyle(document.documentElement).getPropertyValue('--chrome');
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', chrome); // the bars of a phone's browser
  dataset.palette = theme?.id ?? 'own';
}

/** Shows the theme and the clock that the settings name, and reports the theme: programs that ask for colours get the ones that are seen. */
export function followTheme(app: AppState): void {
  const kind = $derived(shownTheme(app.settings.current.theme));
  const theme = $derived(app.settings.themes.chosen(kind, app.settings.current));
  const id = $derived(app.settings.current[`theme.${kind}`]);
  $effect.pre(() => showClock(app.settings.current['window.clock']));
  $effect.pre(() => {
    showTheme(kind, theme);
    document.documentElement.style.setProperty('--scale', String(app.settings.current['window.textScale'] / 100));
  });
  $effect(() => {
    void id;
    // A core that was restarted does not know these colours yet.
    if (app.link.state === 'open') guard(app, app.rpc.system.showsTheme({ theme: kind }));
  });
  $effect(() => {
    void id; // not the list: a name that stays unknown must not be asked for again and again
    if (untrack(() => app.settings.themes.lacks(app.settings.current))) guard(app, app.settings.themes.load());
  });
}
