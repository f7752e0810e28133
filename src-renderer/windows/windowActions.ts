import type { OpenWindow } from '../../src-main/contract/window/windows.ts';
import type { Action, AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { findDesktop } from '../rpc/desktop.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { newWindowId } from '../rpc/windowId.ts';
import { guard } from '../tabs/tabActions.ts';
import type { MenuItem } from '../ui/menuItem.ts';

/** Heading of the windows that a tab can be moved into; shown only while one is being chosen. */
const CHOICE = strings.app.groups.moveToWindow;
const group = strings.app.groups.tabs;

/** One more window on the same core. A browser gives the new tab a copy of this one's session storage, and so the access token. */
export function openWindow(): void {
  const desktop = findDesktop();
  if (desktop) desktop.newWindow();
  else window.open(location.pathname);
}

/** Moves a tab into a new window, at a place of the screen where one is given. A browser that keeps windows from opening is named. */
export async function moveToNewWindow(app: AppState, id: string, at?: { x: number; y: number }): Promise<void> {
  const { windows } = app.terminals;
  const to = newWindowId();
  const desktop = findDesktop();
  // The window is opened in the turn of the click: browsers let it through for a moment only.
  if (desktop) desktop.newWindow({ id: to, ...(at && { at }) });
  else if (!window.open(`${location.pathname}?window=${to}`, '_blank', popupFeatures(at))) {
    app.notices.fail(strings.tabs.windowBlocked);
    return;
  }
  await windows.move(id, to);
}

/** The size of this window; without a position, the browser opens a tab. */
function popupFeatures(at: { x: number; y: number } | undefined): string | undefined {
  if (!at) return undefined;
  return `popup,left=${Math.round(at.x)},top=${Math.round(at.y)},width=${innerWidth},height=${innerHeight}`;
}

/** The actions on windows in the menu of a tab. */
export function windowMenu(app: AppState, id: string): MenuItem[] {
  const { windows } = app.terminals;
  const items = windows.targets.map((target) => ({
    label: windowName(app, target),
    run: () => guard(app, moveInto(app, id, target)),
  }));
  return [
    { label: strings.tabs.menu.toNewWindow, run: () => guard(app, moveToNewWindow(app, id)) },
    ...(items.length > 0 ? [{ label: strings.tabs.menu.toWindow, items }] : []),
  ];
}

export function registerWindowActions(app: AppState): Stop {
  const { terminals } = app;
  let stopChoices: Stop = () => undefined;
  const onShown = (run: (id: string) => Promise<void>) => () => {
    if (terminals.activeId !== null) guard(app, run(terminals.activeId));
  };
  const stop = app.palette.register(
    {
      id: 'tab.toNewWindow',
      title: strings.tabs.actions.toNewWindow,
      group,
      when: () => terminals.active !== undefined,
      run: onShown((id) => moveToNewWindow(app, id)),
    },
    {
      id: 'app.update',
      title: strings.app.actions.update,
      group: strings.app.groups.window,
      when: () => findDesktop() !== null,
      run: () => findDesktop()?.tell('update'),
    },
    {
      id: 'tab.toWindow',
      title: strings.tabs.actions.toWindow,
      group,
      when: () => terminals.active !== undefined && terminals.windows.targets.length > 0,
      run: () => {
        stopChoices();
        stopChoices = app.palette.register(...terminals.windows.targets.map((target) => choiceOf(app, target)));
        app.palette.choose(CHOICE);
      },
    },
  );
  return () => {
    stopChoices();
    stop();
  };
}

/** A window of which every tab has gone closes; one that a browser does not let close shows the other tabs. */
export function closeWhenEmpty(app: AppState): void {
  const { windows } = app.terminals;
  if (windows.own?.length !== 0 || !windows.hadTabs) return;
  window.close();
  guard(app, windows.showAll());
}

function moveInto({ terminals }: AppState, id: string, { id: to, tabs }: OpenWindow): Promise<void> {
  return terminals.windows.move(id, tabs === null ? null : to);
}

function choiceOf(app: AppState, target: OpenWindow): Action {
  return {
    id: `tab.toWindow.${target.id}`,
    title: windowName(app, target),
    group: CHOICE,
    opensTab: true,
    when: () => app.palette.choice === CHOICE,
    run: () => {
      const { activeId } = app.terminals;
      if (activeId !== null) guard(app, moveInto(app, activeId, target));
    },
  };
}

/** By what it shows. */
function windowName({ terminals }: AppState, { tabs, active }: OpenWindow): string {
  if (tabs === null) return strings.tabs.mainWindow;
  const label = active === null ? undefined : terminals.byId(active)?.label;
  return strings.tabs.windowWith(label ?? strings.tabs.noTerminal, tabs.length);
}
