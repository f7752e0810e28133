import type { AppState } from '../app/AppState.svelte.ts';
import { copyTerminalLink } from '../app/copyLink.ts';
import { openAddress } from '../app/openAddress.ts';
import { strings } from '../app/strings.ts';
import { saveCast } from '../cards/card/saveCast.ts';
import { onMachineOf } from '../machines/Machines.svelte.ts';
import { openForwarded } from '../machines/openForwarded.ts';
import type { MenuItem } from '../ui/menuItem.ts';
import { windowMenu } from '../windows/windowActions.ts';
import { agentMenu } from './newAgent.ts';
import { savePicture } from './savePicture.ts';
import type { TerminalState } from './TerminalState.svelte.ts';
import { closeTab, guard, openTabIn, toggleHidden } from './tabActions.ts';

interface Row {
  /** Index in the list, from 0. */
  at: number;
  /** Ports on which its programs listen. */
  ports: readonly number[];
  rename(): void;
}

/** The menu of a tab in the list. */
export function tabMenu(app: AppState, terminal: TerminalState, { at, ports, rename }: Row): MenuItem[] {
  const place = { ...onMachineOf(terminal.id), cwd: terminal.view.cwd };
  return [
    { label: strings.tabs.menu.rename, keys: app.keys.hint('tab.rename'), run: rename },
    { label: strings.tabs.menu.newTabHere, run: () => guard(app, openTabIn(app, place)) },
    agentMenu(app, place),
    ...ports.map((port) => ({ label: portWords(app, terminal.id, port), run: () => openPort(app, terminal.id, port) })),
    {
      label: terminal.view.isHidden ? strings.tabs.menu.show : strings.tabs.menu.hide,
      run: () => guard(app, toggleHidden(app, terminal.id)),
    },
    { label: strings.tabs.menu.copyLink, run: () => copyTerminalLink(app, terminal.id) },
    { label: strings.tabs.menu.audit, run: () => app.audit.open({ pty: terminal.id }) },
    { label: strings.tabs.menu.exportCast, run: () => guard(app, saveCast(app, { id: terminal.id })) },
    {
      label: strings.tabs.menu.saveScreen,
      run: () => guard(app, savePicture(app, { id: terminal.id, format: 'png' })),
    },
    { rule: true } as const,
    ...windowMenu(app, terminal.id),
    {
      label: strings.tabs.menu.moveUp,
      isDisabled: at === 0,
      run: () => guard(app, app.terminals.move(terminal.id, at - 1)),
    },
    {
      label: strings.tabs.menu.moveDown,
      isDisabled: at === app.terminals.list.length - 1,
      run: () => guard(app, app.terminals.move(terminal.id, at + 1)),
    },
    { rule: true } as const,
    {
      label: strings.tabs.menu.close,
      keys: app.keys.hint('tab.close'),
      run: () => guard(app, closeTab(app, terminal.id)),
    },
  ];
}

function portWords({ machines }: AppState, terminalId: string, port: number): string {
  const { openPort: here, openPortOn } = strings.tabs.menu;
  const machine = machines.of(terminalId);
  return machine ? openPortOn(port, machine.name) : here(port);
}

/** Opens a port. A port of another machine is forwarded to this one first. */
export function openPort(app: AppState, terminalId: string, port: number): void {
  const machine = app.machines.of(terminalId);
  if (machine) guard(app, openForwarded(app, machine.key, port));
  else guard(app, openAddress(app, `http://localhost:${port}/`, false));
}
