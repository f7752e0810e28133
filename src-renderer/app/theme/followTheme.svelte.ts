import { untrack } from 'svelte';
import { guard } from '../../tabs/tabActions.ts';
import type { AppState } from '../AppState.svelte.ts';
import { showClock } from '../clock.svelte.ts';
import { shownTheme, showTheme } from './showTheme.svelte.ts';

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
