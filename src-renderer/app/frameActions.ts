import type { Settings } from '../../src-main/contract/settings.ts';
import { toggleKeys } from '../composer/routeKeys.svelte.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { guard } from '../tabs/tabActions.ts';
import { openWindow } from '../windows/windowActions.ts';
import type { Action, AppState } from './AppState.svelte.ts';
import { strings } from './strings.ts';

/** Limits of settings.json. */
const FONT_PX = { smallest: 8, largest: 40, usual: 12.5, step: 0.5 };

/** Registers the actions of the window itself. */
export function registerFrameActions(app: AppState): Stop {
  return app.palette.register(...surfaceActions(app), ...viewActions(app), ...fontActions(app));
}

function surfaceActions(app: AppState): Action[] {
  const { palette, settings, terminals } = app;
  const isLive = () => terminals.active?.view.state === 'live';
  return [
    {
      id: 'palette.open',
      title: strings.app.actions.palette,
      group: strings.app.groups.window,
      keys: 'Mod+Shift+P Alt+Shift+P',
      run: () => {
        palette.isOpen = !palette.isOpen;
      },
    },
    {
      id: 'settings.open',
      title: strings.app.actions.settings,
      group: strings.app.groups.window,
      keys: 'Mod+,',
      run: () => {
        settings.isOpen = !settings.isOpen;
      },
    },
    {
      id: 'window.new',
      title: strings.app.actions.newWindow,
      group: strings.app.groups.window,
      keys: 'Mod+Alt+N',
      run: openWindow,
    },
    {
      id: 'composer.toggle',
      title: strings.app.actions.toggleKeys,
      group: strings.app.groups.prompt,
      keys: 'Mod+.',
      when: isLive,
      run: () => terminals.active && toggleKeys(app, terminals.active),
    },
    {
      id: 'search.everywhere',
      title: strings.search.title,
      group: strings.app.groups.view,
      keys: 'Mod+Shift+F',
      run: () => {
        if (app.everywhere.isOpen) app.everywhere.close();
        else app.everywhere.open();
      },
    },
    {
      id: 'history.search',
      title: strings.search.history.action,
      group: strings.app.groups.prompt,
      keys: 'Ctrl+R',
      when: isLive,
      run: () => {
        app.history.isOpen = true;
      },
    },
  ];
}

function viewActions(app: AppState): Action[] {
  const { settings } = app;
  const put = (change: Partial<Settings>) => guard(app, settings.set(change));
  return [
    {
      id: 'prompt.mode',
      title: strings.app.actions.promptMode,
      group: strings.app.groups.prompt,
      run: () => put({ 'prompt.mode': settings.current['prompt.mode'] === 'composer' ? 'shell' : 'composer' }),
    },
    {
      id: 'tabs.place',
      title: strings.app.actions.tabsPlace,
      group: strings.app.groups.view,
      run: () => put({ tabs: settings.current.tabs === 'side' ? 'top' : 'side' }),
    },
    {
      id: 'theme.dark',
      title: strings.app.actions.themeDark,
      group: strings.app.groups.view,
      run: () => put({ theme: 'dark' }),
    },
    {
      id: 'theme.light',
      title: strings.app.actions.themeLight,
      group: strings.app.groups.view,
      run: () => put({ theme: 'light' }),
    },
    {
      id: 'theme.system',
      title: strings.app.actions.themeSystem,
      group: strings.app.groups.view,
      run: () => put({ theme: 'system' }),
    },
  ];
}

/** Changes the size of the terminal's text only; the zoom of the browser and the desktop window keeps its own keys. */
function fontActions(app: AppState): Action[] {
  const { settings } = app;
  const size = () => settings.current['terminal.fontSizePx'];
  const put = (px: number) =>
    guard(app, settings.set({ 'terminal.fontSizePx': Math.min(FONT_PX.largest, Math.max(FONT_PX.smallest, px)) }));
  const group = strings.app.groups.view;
  return [
    {
      id: 'font.larger',
      title: strings.app.actions.largerText,
      group,
      keys: 'Mod+Alt+=',
      run: () => put(size() + FONT_PX.step),
    },
    {
      id: 'font.smaller',
      title: strings.app.actions.smallerText,
      group,
      keys: 'Mod+Alt+-',
      run: () => put(size() - FONT_PX.step),
    },
    { id: 'font.reset', title: strings.app.actions.resetText, group, keys: 'Mod+Alt+0', run: () => put(FONT_PX.usual) },
  ];
}
