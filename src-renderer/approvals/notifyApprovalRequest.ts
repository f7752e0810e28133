import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { raiseWindow } from '../rpc/desktop.ts';
import { guard } from '../tabs/tabActions.ts';

/** System notification of a client's request, if the person is elsewhere and allows it. A click shows the tab. */
export function notifyApprovalRequest(app: AppState, { client, kind, cmd, terminalId, id }: Approval): void {
  if (!app.settings.current['notify.agentWaits']) return;
  if (document.hasFocus() || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const shown = new Notification(app.machines.titled(strings.approvals.notification[kind](client.title), terminalId), {
    // a desktop keeps its notifications, and keys to type may be a password
    body: kind === 'keys' ? '' : cmd.slice(0, 200),
    tag: `asks-${id}`,
  });
  shown.onclick = () => {
    raiseWindow();
    guard(app, app.terminals.activate(terminalId));
  };
}
