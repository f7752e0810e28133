import type { AuditLine } from '../../src-main/contract/mcp/audit.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { openBlock, openTerminal } from '../search/openHit.ts';
import { guard } from '../tabs/tabActions.ts';
import { takeFocusBack } from '../ui/takeFocusBack.ts';

export function registerAuditActions(app: AppState): Stop {
  const { audit, terminals, palette } = app;
  return palette.register(
    {
      id: 'audit.open',
      title: strings.audit.actions.open,
      group: strings.app.groups.window,
      keys: 'Alt+Shift+A',
      run: () => (audit.isOpen ? audit.close() : audit.open()),
    },
    {
      id: 'audit.openHere',
      title: strings.audit.actions.openHere,
      group: strings.app.groups.window,
      when: () => terminals.active !== undefined,
      run: () => audit.open({ pty: terminals.activeId }),
    },
  );
}

/** Shows the card or terminal of an entry. Closes the audit log and moves the focus there. */
export function showEntry(app: AppState, { pty, block }: AuditLine, what: 'card' | 'terminal'): void {
  if (pty === null) return;
  app.audit.close();
  const opening = () =>
    what === 'card' && block !== null
      ? openBlock(app, { terminalId: pty, blockId: block, n: null })
      : openTerminal(app, pty);
  takeFocusBack(() => guard(app, opening()));
}

export async function copyEntry({ notices }: AppState, line: AuditLine): Promise<void> {
  await navigator.clipboard.writeText(JSON.stringify(line));
  notices.say(strings.audit.copiedEntry);
}
