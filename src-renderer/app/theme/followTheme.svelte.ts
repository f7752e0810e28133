import { untrack } from 'svelte';
import { unasked } from '../../tabs/tabActions.ts';
import type { AppState } from '../AppState.svelte.ts';
import { showClock } from '../clock.svelte.ts';
import { shownTheme, showTheme } from './showTheme.svelte.ts';

/** Applies the theme and the clock of the settings, and reports the theme to the core, so that programs that query colours get the visible ones. */
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
    // A restarted core does not know these colours yet.
    if (app.link.state === 'open') unasked(app, app.rpc.system.showsTheme({ theme: kind }));
  });
  $effect(() => {
    void id; // depends on the id, not on the list: an unknown name must not be requested again and again
    if (untrack(() => app.settings.themes.lacks(app.settings.current))) unasked(app, app.settings.themes.load());
  });
}
