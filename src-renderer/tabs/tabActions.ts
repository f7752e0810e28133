import { NOT_CONNECTED, OUTCOME_UNKNOWN } from '../../src-main/shared/machineIds.ts';
import type { Action, AppState } from '../app/AppState.svelte.ts';
import { copyTerminalLink } from '../app/copyLink.ts';
import { strings } from '../app/strings.ts';
import { NotSent } from '../machines/guardRpc.ts';
import { onMachineOf } from '../machines/Machines.svelte.ts';
import { codeOf, isOfTheLine } from '../rpc/codeOf.ts';
import type { Stop } from '../rpc/Rpc.ts';

/** How many tabs have a key of their own. */
const NUMBERED = 9;

/** Asks before it ends a running program. */
export async function closeTab(app: AppState, id: string): Promise<void> {
  const terminal = app.terminals.byId(id);
  if (!terminal) return;
  const verdict = await app.terminals.close(id, false);
  if (verdict.closed) return;
  const yes = await app.dialogs.ask({
    title: strings.tabs.closeQuestion.title(terminal.label),
    body: verdict.running.length === 1 ? strings.tabs.closeQuestion.one : strings.tabs.closeQuestion.many,
    exact: verdict.running.join('\n'),
    confirm: strings.tabs.closeQuestion.confirm,
    isDangerous: true,
  });
  if (yes) await app.terminals.close(id, true);
}

/** Hides the terminal from MCP clients, open or closed, or shows it again. */
export async function toggleHidden(app: AppState, id: string): Promise<void> {
  const view = app.terminals.byId(id)?.view;
  if (view) await app.rpc.terminal.hide({ id, isHidden: !view.isHidden });
}

/** Opens a tab on the machine and in the folder of the shown one; its core chooses the shell if none is set. */
export async function openTab(app: AppState): Promise<void> {
  const { active } = app.terminals;
  await openTabIn(app, { ...onMachineOf(active?.id), ...(active && { cwd: active.view.cwd }) });
}

/** Opens a tab in a folder; without one the machine chooses. A shell of this machine is not a path on another one. */
export async function openTabIn(app: AppState, place: { machine?: string; cwd?: string }): Promise<void> {
  const shell = place.machine === undefined ? app.settings.current['shell.default'] : '';
  await app.terminals.open({ ...place, ...(shell && { shell }) });
}

/** Opens a tab with a shell of this machine. */
export async function openShell(app: AppState, shell: string): Promise<void> {
  const { active } = app.terminals;
  const isHere = active && onMachineOf(active.id).machine === undefined;
  await app.terminals.open({ shell, ...(isHere && { cwd: active.view.cwd }) });
}

/** The tab whose name is edited. */
export interface Renaming {
  id: string | null;
}

/** Every action of tabs, under its id. `renaming` gets the id of the tab whose name is edited. */
export function registerTabActions(app: AppState, renaming: Renaming): Stop {
  return app.palette.register(
    {
      id: 'tab.new',
      title: strings.tabs.actions.newTab,
      group,
      keys: 'Mod+T Mod+Shift+T Alt+Shift+T',
      run: () => guard(app, openTab(app)),
    },
    ...shellActions(app),
    ...ownActions(app, renaming),
    ...walkActions(app),
    ...moveActions(app),
    ...numberedActions(app),
  );
}

const group = strings.app.groups.tabs;

/** An action on the shown tab. */
function onShown(app: AppState, run: (id: string) => Promise<void>): Pick<Action, 'when' | 'run'> {
  const { terminals } = app;
  return {
    when: () => terminals.active !== undefined,
    run: () => {
      if (terminals.activeId !== null) guard(app, run(terminals.activeId));
    },
  };
}

function ownActions(app: AppState, renaming: Renaming): Action[] {
  const close = onShown(app, (id) => closeTab(app, id));
  const rename = onShown(app, async (id) => {
    renaming.id = id;
  });
  const restart = onShown(app, async (id) => {
    await app.rpc.terminal.restart({ id });
  });
  const copy = onShown(app, async (id) => copyTerminalLink(app, id));
  const hide = onShown(app, (id) => toggleHidden(app, id));
  const hasExited = () =>
    app.terminals.active?.view.state === 'exited' && app.terminals.active.view.origin === undefined;
  return [
    { id: 'tab.close', title: strings.tabs.actions.close, group, keys: 'Mod+W Mod+Shift+W Alt+Shift+W', ...close },
    { id: 'tab.rename', title: strings.tabs.actions.rename, group, keys: 'F2', ...rename },
    { id: 'tab.copyLink', title: strings.tabs.actions.copyLink, group, ...copy },
    { id: 'tab.hide', title: strings.tabs.actions.hide, group, ...hide },
    { id: 'tab.restart', title: strings.tabs.actions.restart, group, ...restart, when: hasExited },
  ];
}

function walkActions(app: AppState): Action[] {
  const step = (by: number) => onShown(app, () => app.terminals.step(by));
  const waiting = {
    when: () => app.terminals.nextWaiting() !== undefined,
    run: () => {
      const next = app.terminals.nextWaiting();
      if (next) guard(app, app.terminals.activate(next.id));
    },
  };
  return [
    { id: 'tab.nextWaiting', title: strings.tabs.actions.nextWaiting, group, keys: 'Alt+Shift+J', ...waiting },
    {
      id: 'tab.next',
      title: strings.tabs.actions.next,
      group,
      keys: 'Ctrl+Tab Mod+PageDown Alt+Shift+Right',
      ...step(1),
    },
    {
      id: 'tab.previous',
      title: strings.tabs.actions.previous,
      group,
      keys: 'Ctrl+Shift+Tab Mod+PageUp Alt+Shift+Left',
      ...step(-1),
    },
  ];
}

function moveActions(app: AppState): Action[] {
  const { terminals } = app;
  const move = (by: number) =>
    onShown(app, (id) => terminals.move(id, terminals.list.findIndex((terminal) => terminal.id === id) + by));
  return [
    { id: 'tab.moveUp', title: strings.tabs.actions.moveUp, group, keys: 'Alt+Shift+Up', ...move(-1) },
    { id: 'tab.moveDown', title: strings.tabs.actions.moveDown, group, keys: 'Alt+Shift+Down', ...move(1) },
  ];
}

function shellActions(app: AppState): Action[] {
  return app.system.shells.map(({ name, path }) => ({
    id: `tab.new.${name}`,
    title: strings.tabs.actions.newTabWith(name),
    group,
    run: () => guard(app, openShell(app, path)),
  }));
}

function numberedActions(app: AppState): Action[] {
  return Array.from({ length: NUMBERED }, (_, at) => ({
    id: `tab.${at + 1}`,
    title: isLast(at) ? strings.tabs.actions.goToLast : strings.tabs.actions.goTo(at + 1),
    group,
    keys: `Mod+${at + 1} Alt+${at + 1}`,
    when: () => app.terminals.list.length > (isLast(at) ? 0 : at),
    run: () => {
      const terminal = app.terminals.list.at(isLast(at) ? -1 : at);
      if (terminal) guard(app, app.terminals.activate(terminal.id));
    },
  }));
}

/** As in browsers, the last number is for the last tab. */
function isLast(at: number): boolean {
  return at === NUMBERED - 1;
}

/**
 * For a request that the window makes by itself. If a connection is lost before the answer, the window says so; the person has done nothing that
 * could have failed.
 */
export function unasked(app: AppState, request: Promise<unknown>): void {
  const isOfConnection = (error: unknown) =>
    app.link.state !== 'open' ||
    isOfTheLine(error) ||
    error instanceof NotSent ||
    OF_A_MACHINE.has(codeOf(error) ?? '');
  guard(
    app,
    request.catch((error: unknown) => {
      if (!isOfConnection(error)) throw error;
    }),
  );
}

/** The core's codes for a call to a machine that is not connected, or was lost before its answer. */
const OF_A_MACHINE = new Set<string>([NOT_CONNECTED, OUTCOME_UNKNOWN]);

/** Shows a notice if the request fails. */
export function guard(app: AppState, request: Promise<unknown>): void {
  request.catch((error: unknown) => {
    if (error instanceof NotSent) return; // guardRpc has said so
    // without a connection every request fails; the bar above the cards says so
    if (app.link.state === 'open') app.notices.fail(strings.app.actionFailed, error);
    else app.notices.fail(strings.app.notNow);
  });
}
