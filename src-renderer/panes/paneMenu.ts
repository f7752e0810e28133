import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { closeTab, guard } from '../tabs/tabActions.ts';
import type { MenuItem } from '../ui/menuItem.ts';
import { splitShown } from './splitActions.ts';

/** The menu of a pane's header. A click on it has given the pane the focus. */
export function paneMenu(app: AppState, id: string): MenuItem[] {
  const { panes } = app.terminals;
  const { actions, unzoom } = strings.panes;
  return [
    ...splitItems(app),
    { rule: true },
    {
      label: panes.isZoomed(id) ? unzoom : actions.zoom,
      keys: app.keys.hint('pane.zoom'),
      run: () => panes.toggleZoom(id),
    },
    { label: actions.toTab, run: () => panes.takeOut(id) },
    { rule: true },
    { label: actions.close, keys: app.keys.hint('tab.close'), run: () => guard(app, closeTab(app, id)) },
  ];
}

/** Split the focused pane to the right or downwards. */
export function splitItems(app: AppState): MenuItem[] {
  const { splitRight, splitDown } = strings.panes.actions;
  return [
    { label: splitRight, keys: app.keys.hint('pane.splitRight'), run: () => guard(app, splitShown(app, 'right')) },
    { label: splitDown, keys: app.keys.hint('pane.splitDown'), run: () => guard(app, splitShown(app, 'down')) },
  ];
}
