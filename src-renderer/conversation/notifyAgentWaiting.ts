import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { raiseWindow } from '../rpc/desktop.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { guard } from '../tabs/tabActions.ts';
import { stateWords } from './chatWords.ts';

/**
 * Notifies that an agent waits, unless its tab or its row on the Agents page is visible: in the window and, if the person is elsewhere and allows it,
 * by the system. A click on the system notification shows the tab.
 */
export function notifyAgentWaiting(app: AppState, terminal: TerminalState): void {
  const { agent, id } = terminal;
  if (!agent || !app.settings.current['notify.agentWaits']) return;
  const isHere = document.hasFocus();
  const isListed = app.agents.groups.some(({ rows }) => rows.some(({ terminalId }) => terminalId === id));
  if (isHere && (app.terminals.activeId === id || isListed)) return;
  const said = agent.asks ?? stateWords(agent.state);
  app.notices.say(strings.conversation.waiting(app.machines.titled(terminal.label, id), said));
  if (isHere || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const shown = new Notification(app.machines.titled(strings.conversation.notification(agent.label), id), {
    body: said,
    tag: `waits-${id}`,
  });
  shown.onclick = () => {
    raiseWindow();
    guard(app, app.terminals.activate(id));
  };
}
