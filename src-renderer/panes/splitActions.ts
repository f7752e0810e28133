import type { Action, AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { closeTab, guard } from '../tabs/tabActions.ts';
import { leavesOf, type Side } from './paneTree.ts';

const group = strings.app.groups.panes;
/** Heading of the tabs that can become panes; shown only while one is being chosen. */
const CHOICE = strings.app.groups.joinTab;

const SIDES: readonly { side: Side; key: string; name: string }[] = [
  { side: 'left', key: 'Left', name: 'Left' },
  { side: 'right', key: 'Right', name: 'Right' },
  { side: 'up', key: 'Up', name: 'Up' },
  { side: 'down', key: 'Down', name: 'Down' },
];

/** Registers the actions on the panes of the shown tab. */
export function registerSplitActions(app: AppState): Stop {
  let stopChoices: Stop = () => undefined;
  const join = (): void => {
    stopChoices();
    stopChoices = app.palette.register(...others(app).map((terminal) => joinChoice(app, terminal)));
    app.palette.choose(CHOICE);
  };
  const stop = app.palette.register(...splitActions(app), ...sideActions(app), ...placeActions(app), {
    id: 'pane.joinTab',
    title: strings.panes.actions.joinTab,
    group,
    opensTab: true,
    when: () => app.terminals.active !== undefined && others(app).length > 0,
    run: join,
  });
  return () => {
    stopChoices();
    stop();
  };
}

/** Splits the focused pane; the new one has a shell in the same folder. */
export async function splitShown(app: AppState, side: Side): Promise<void> {
  const { active } = app.terminals;
  if (!active) return;
  const shell = app.settings.current['shell.default'];
  await app.terminals.open({ ...(shell && { shell }), cwd: active.view.cwd }, { at: active.id, side });
}

function splitActions(app: AppState): Action[] {
  const split = (side: Side) => ({
    group,
    opensTab: true,
    when: () => app.terminals.active !== undefined,
    run: () => guard(app, splitShown(app, side)),
  });
  return [
    { id: 'pane.splitRight', title: strings.panes.actions.splitRight, keys: 'Mod+Shift+D', ...split('right') },
    { id: 'pane.splitDown', title: strings.panes.actions.splitDown, keys: 'Mod+Shift+E', ...split('down') },
  ];
}

function sideActions(app: AppState): Action[] {
  const { terminals } = app;
  const { panes } = terminals;
  return SIDES.flatMap(({ side, key, name }) => [
    {
      id: `pane.focus${name}`,
      title: strings.panes.actions.focus(side),
      group,
      keys: `Mod+Alt+${key}`,
      opensTab: true,
      when: () => terminals.activeId !== null && panes.beside(terminals.activeId, side) !== undefined,
      run: () => {
        const next = terminals.activeId === null ? undefined : panes.beside(terminals.activeId, side);
        if (next !== undefined) guard(app, terminals.activate(next));
      },
    },
    {
      id: `pane.resize${name}`,
      title: strings.panes.actions.resize(side),
      group,
      keys: `Mod+Alt+Shift+${key}`,
      ...onSplit(app, (id) => panes.moveEdge(id, side)),
    },
  ]);
}

function placeActions(app: AppState): Action[] {
  const { panes } = app.terminals;
  return [
    {
      id: 'pane.zoom',
      title: strings.panes.actions.zoom,
      group,
      keys: 'Mod+Shift+Enter',
      ...onSplit(app, (id) => panes.toggleZoom(id)),
    },
    {
      id: 'pane.toTab',
      title: strings.panes.actions.toTab,
      group,
      opensTab: true,
      ...onSplit(app, (id) => panes.takeOut(id)),
    },
    {
      id: 'pane.close',
      title: strings.panes.actions.close,
      group,
      opensTab: true,
      ...onSplit(app, (id) => guard(app, closeTab(app, id))),
    },
  ];
}

/** Makes sense only where the shown tab has several panes. */
function onSplit(app: AppState, run: (id: string) => void): Pick<Action, 'when' | 'run'> {
  const { terminals } = app;
  return {
    when: () => terminals.activeId !== null && terminals.panes.isSplit(terminals.activeId),
    run: () => {
      if (terminals.activeId !== null) run(terminals.activeId);
    },
  };
}

/** Terminals in other tabs than the shown one. */
function others({ terminals }: AppState): TerminalState[] {
  if (terminals.activeId === null) return [];
  const here = leavesOf(terminals.panes.treeOf(terminals.activeId));
  return terminals.list.filter(({ id }) => !here.includes(id));
}

function joinChoice(app: AppState, { id, label }: TerminalState): Action {
  return {
    id: `pane.join.${id}`,
    title: label,
    group: CHOICE,
    opensTab: true,
    when: () => app.palette.choice === CHOICE,
    run: () => joinTab(app, id, { at: app.terminals.activeId ?? '', side: 'right' }),
  };
}

/** Puts a terminal beside a shown pane, and the focus in it. */
export function joinTab(app: AppState, id: string, to: { at: string; side: Side }): void {
  app.terminals.panes.put(id, to);
  guard(app, app.terminals.activate(id));
}
