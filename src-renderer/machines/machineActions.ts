import type { MachineView } from '../../src-main/contract/machines.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { settleKeys } from '../composer/routeKeys.svelte.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { agentMenu } from '../tabs/newAgent.ts';
import { guard, openTabIn } from '../tabs/tabActions.ts';
import type { MenuItem } from '../ui/menuItem.ts';
import { type MachineSheetView, onMachineOf } from './Machines.svelte.ts';

const words = strings.machines;

export function registerMachineActions(app: AppState): Stop {
  const { machines, terminals } = app;
  app.history.onMachine = () => onMachineOf(terminals.activeId);
  machines.onRefused = (reason) => app.notices.fail(reason);
  machines.onLost = (key) => holdTyped(app, key);
  machines.onConnected = (machine) => {
    if (machines.sheet?.what === 'connect' && machines.sheet.key === machine.key) finish(app, machine);
  };
  return app.palette.register({
    id: 'machine.connect',
    title: words.actions.connect,
    group: strings.app.groups.window,
    run: () => showSheet(app, { what: 'connect', key: null }),
  });
}

/** "New terminal on devbox" for each machine of `connected`: lines of a key and a name. */
export function registerNewOn(app: AppState, connected: string): Stop {
  const lines = connected === '' ? [] : connected.split('\n');
  return app.palette.register(
    ...lines.map((line) => {
      const [key = '', name = ''] = line.split(' ');
      return {
        id: `machine.new.${key}`,
        title: words.actions.newOn(name),
        group: strings.app.groups.tabs,
        run: () => guard(app, openTabIn(app, { machine: key })),
      };
    }),
  );
}

export function showSheet({ machines }: AppState, sheet: MachineSheetView): void {
  machines.sheet = sheet;
}

/** Null, or why not: a whole sentence. The sheet follows what happens from here on. */
export async function connect(app: AppState, name: string): Promise<string | null> {
  const { machines, rpc } = app;
  const verdict = await rpc.machine.connect({ name });
  if (!verdict.ok) return verdict.reason;
  const machine = machines.byKey(verdict.key);
  if (machine?.state === 'connected') finish(app, machine);
  else if (machines.sheet?.what === 'connect') showSheet(app, { what: 'connect', key: verdict.key });
  return null;
}

/** The keys go back to where they were: the button is gone with the connection's return. */
export function connectAgain(app: AppState, { name }: MachineView): void {
  guard(
    app,
    app.rpc.machine.connect({ name }).then((verdict) => {
      if (!verdict.ok) app.notices.fail(verdict.reason);
    }),
  );
  if (app.machines.sheet === null) requestAnimationFrame(() => settleKeys(app));
}

export function disconnect(app: AppState, key: string): void {
  guard(app, app.rpc.machine.disconnect({ key }));
}

/** The menu of a machine. */
export function machineMenu(app: AppState, machine: MachineView): MenuItem[] {
  const { key, state, question, info } = machine;
  const isConnected = state === 'connected';
  const place = { machine: key, ...(info && { cwd: info.home }) };
  const line = isConnected || state === 'connecting' || state === 'lost';
  return [
    { label: words.menu.newTab, isDisabled: !isConnected, run: () => guard(app, openTabIn(app, { machine: key })) },
    ...(isConnected ? [agentMenu(app, place)] : []),
    { rule: true } as const,
    ...(question ? [{ label: words.answer, run: () => showSheet(app, { what: 'connect', key }) }] : []),
    ...(isConnected || state === 'connecting'
      ? []
      : [
          {
            label: state === 'off' ? words.menu.connect : words.retry,
            run: () => connectAgain(app, machine),
          },
        ]),
    ...(line ? [{ label: words.menu.disconnect, run: () => disconnect(app, key) }] : []),
    { label: words.menu.forward, isDisabled: !isConnected, run: () => showSheet(app, { what: 'forward', key }) },
    { rule: true } as const,
    { label: words.menu.forget, isDangerous: true, run: () => showSheet(app, { what: 'forget', key }) },
  ];
}

/** A machine without terminals gets one: who connects to it wants to work there. */
function finish(app: AppState, { key }: MachineView): void {
  app.machines.sheet = null;
  const isEmpty = app.terminals.list.every(({ id }) => machineOf(id) !== key);
  if (isEmpty) guard(app, openTabIn(app, { machine: key }));
}

/** Keys that wait for a command of that machine would be given to it much later: the person decides about them instead. */
function holdTyped({ terminals }: AppState, key: string): void {
  for (const terminal of terminals.list) {
    if (machineOf(terminal.id) !== key) continue;
    const typed = terminal.ahead
      .end()
      .map(({ text }) => text)
      .join('');
    const lines = typed.split(/[\r\n]+/).filter(Boolean);
    if (lines.length > 0) terminal.held = [...terminal.held, ...lines];
  }
}
