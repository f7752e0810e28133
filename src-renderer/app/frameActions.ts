import type { Settings } from '../../src-main/contract/settings.ts';
import { toggleKeys } from '../composer/routeKeys.svelte.ts';
import { findDesktop } from '../rpc/desktop.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { guard } from '../tabs/tabActions.ts';
import type { Action, AppState } from './AppState.svelte.ts';

/** As settings.json allows it. */
const FONT_PX = { smallest: 8, largest: 40, usual: 12.5, step: 0.5 };

/** The actions of the window itself. */
export function registerFrameActions(app: AppState): Stop {
  return app.palette.register(...surfaceActions(app), ...viewActions(app), ...fontActions(app));
}

function surfaceActions(app: AppState): Action[] {
  const { palette, settings, terminals } = app;
  const isLive = () => terminals.active?.view.state === 'live';
  return [
    {
      id: 'palette.open',
      title: 'Every action…',
      group: 'Window',
      keys: 'Mod+Shift+P',
      run: () => {
        palette.isOpen = !palette.isOpen;
      },
    },
    {
      id: 'settings.open',
      title: 'Settings',
      group: 'Window',
      keys: 'Mod+,',
      run: () => {
        settings.isOpen = !settings.isOpen;
      },
    },
    {
      id: 'window.new',
      title: 'New window',
      group: 'Window',
      keys: 'Mod+Shift+N',
      run: openWindow,
    },
    {
      id: 'composer.toggle',
      title: 'Give the keys to the program or the composer',
      group: 'Prompt',
      keys: 'Mod+.',
      when: isLive,
      run: () => terminals.active && toggleKeys(app, terminals.active),
    },
    {
      id: 'search.everywhere',
      title: 'Search everything recorded',
      group: 'View',
      keys: 'Mod+Shift+F',
      run: () => {
        if (app.everywhere.isOpen) app.everywhere.close();
        else app.everywhere.open();
      },
    },
    {
      id: 'history.search',
      title: 'Search earlier commands',
      group: 'Prompt',
      keys: 'Ctrl+R',
      when: isLive,
      run: () => {
        app.history.isOpen = true;
      },
    },
  ];
}

/** One more window on the same core. A browser gives the new tab a copy of this one's session storage, and so the access token. */
function openWindow(): void {
  const desktop = findDesktop();
  if (desktop) desktop.newWindow();
  else window.open(location.pathname);
}

function viewActions(app: AppState): Action[] {
  const { settings } = app;
  const put = (change: Partial<Settings>) => guard(app, settings.set(change));
  return [
    {
      id: 'prompt.mode',
      title: 'Composer or the shell’s own prompt',
      group: 'Prompt',
      run: () => put({ 'prompt.mode': settings.current['prompt.mode'] === 'composer' ? 'shell' : 'composer' }),
    },
    {
      id: 'tabs.place',
      title: 'Tabs at the side or on top',
      group: 'View',
      run: () => put({ tabs: settings.current.tabs === 'side' ? 'top' : 'side' }),
    },
    { id: 'theme.dark', title: 'Theme: dark', group: 'View', run: () => put({ theme: 'dark' }) },
    { id: 'theme.light', title: 'Theme: light', group: 'View', run: () => put({ theme: 'light' }) },
    { id: 'theme.system', title: 'Theme: as the system', group: 'View', run: () => put({ theme: 'system' }) },
  ];
}

/** The browser's and the desktop window's own zoom keep their keys; these change the terminal's text only. */
function fontActions(app: AppState): Action[] {
  const { settings } = app;
  const size = () => settings.current['terminal.fontSizePx'];
  const put = (px: number) =>
    guard(app, settings.set({ 'terminal.fontSizePx': Math.min(FONT_PX.largest, Math.max(FONT_PX.smallest, px)) }));
  const group = 'View';
  return [
    {
      id: 'font.larger',
      title: 'Larger terminal text',
      group,
      keys: 'Mod+Alt+=',
      run: () => put(size() + FONT_PX.step),
    },
    {
      id: 'font.smaller',
      title: 'Smaller terminal text',
      group,
      keys: 'Mod+Alt+-',
      run: () => put(size() - FONT_PX.step),
    },
    { id: 'font.reset', title: 'Usual terminal text', group, keys: 'Mod+Alt+0', run: () => put(FONT_PX.usual) },
  ];
}
