import type { Stop } from '../rpc/Rpc.ts';
import type { Action, AppState } from '../state/AppState.svelte.ts';

/** How many tabs have a key of their own. */
const NUMBERED = 9;

/** Asks before it ends something that still runs. */
export async function closeTab(app: AppState, id: string): Promise<void> {
  const terminal = app.terminals.byId(id);
  if (!terminal) return;
  const verdict = await app.rpc.terminal.close({ id, force: false });
  if (verdict.closed) return;
  const yes = await app.dialogs.ask({
    title: `Close “${terminal.label}”?`,
    body:
      verdict.running.length === 1
        ? 'This still runs here and would be ended:'
        : 'These still run here and would be ended:',
    exact: verdict.running.join('\n'),
    confirm: 'Close and end',
    isDangerous: true,
  });
  if (yes) await app.rpc.terminal.close({ id, force: true });
}

/** A new tab, where the shown one is unless told otherwise; the core chooses the shell when none is given or set. */
export async function openTab(app: AppState, shell?: string, cwd = app.terminals.active?.view.cwd): Promise<void> {
  const wanted = shell ?? app.settings.current['shell.default'];
  await app.terminals.open({ ...(wanted && { shell: wanted }), ...(cwd && { cwd }) });
}

/** The tab whose name is being edited. */
export interface Renaming {
  id: string | null;
}

/** Every action of tabs, under its id. `renaming` is told which tab's name to edit. */
export function registerTabActions(app: AppState, renaming: Renaming): Stop {
  const { terminals } = app;
  const shown = () => terminals.active !== undefined;
  const active = (run: (id: string) => Promise<void>) => () => {
    if (terminals.activeId !== null) guard(app, run(terminals.activeId));
  };
  const moveBy = (by: number) => (id: string) =>
    terminals.move(id, terminals.list.findIndex((terminal) => terminal.id === id) + by);
  const group = 'Tabs';
  return app.palette.register(
    {
      id: 'tab.new',
      title: 'New tab',
      group,
      keys: 'Mod+T Mod+Shift+T Alt+Shift+T',
      run: () => guard(app, openTab(app)),
    },
    ...shellActions(app),
    {
      id: 'tab.close',
      title: 'Close tab',
      group,
      keys: 'Mod+W Mod+Shift+W Alt+Shift+W',
      when: shown,
      run: active((id) => closeTab(app, id)),
    },
    {
      id: 'tab.next',
      title: 'Next tab',
      group,
      keys: 'Ctrl+Tab Mod+PageDown Alt+Shift+Right',
      when: shown,
      run: () => guard(app, terminals.step(1)),
    },
    {
      id: 'tab.previous',
      title: 'Previous tab',
      group,
      keys: 'Ctrl+Shift+Tab Mod+PageUp Alt+Shift+Left',
      when: shown,
      run: () => guard(app, terminals.step(-1)),
    },
    { id: 'tab.moveUp', title: 'Move tab up', group, keys: 'Alt+Shift+Up', when: shown, run: active(moveBy(-1)) },
    { id: 'tab.moveDown', title: 'Move tab down', group, keys: 'Alt+Shift+Down', when: shown, run: active(moveBy(1)) },
    {
      id: 'tab.rename',
      title: 'Rename tab',
      group,
      keys: 'F2',
      when: shown,
      run: () => {
        renaming.id = terminals.activeId;
      },
    },
    {
      id: 'tab.restart',
      title: 'Start a new shell in this tab',
      group,
      when: () => terminals.active?.view.state === 'exited',
      run: active(async (id) => void (await app.rpc.terminal.restart({ id }))),
    },
    ...numberedActions(app),
  );
}

function shellActions(app: AppState): Action[] {
  return app.system.shells.map(({ name, path }) => ({
    id: `tab.new.${name}`,
    title: `New tab with ${name}`,
    group: 'Tabs',
    run: () => guard(app, openTab(app, path)),
  }));
}

function numberedActions(app: AppState): Action[] {
  return Array.from({ length: NUMBERED }, (_, at) => ({
    id: `tab.${at + 1}`,
    title: `Go to tab ${at + 1}`,
    group: 'Tabs',
    keys: `Mod+${at + 1} Alt+${at + 1}`,
    when: () => app.terminals.list.length > at,
    run: () => {
      const terminal = app.terminals.list[at];
      if (terminal) guard(app, app.terminals.activate(terminal.id));
    },
  }));
}

/** A request whose failure the person must hear of, and nothing else can be done about. */
export function guard(app: AppState, request: Promise<unknown>): void {
  request.catch((error: unknown) => app.notices.fail('That did not work', error));
}
