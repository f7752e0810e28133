import type { TerminalStatusLine } from '../contract/coreStatus.ts';
import type { PtyChatClient } from './PtyChatClient.ts';

/** The running program of each tab, in the tabs' order, at this moment. */
export async function terminalLines(
  core: Pick<PtyChatClient, 'followTerminals' | 'terminal'>,
): Promise<TerminalStatusLine[]> {
  const changes = core.followTerminals();
  const first = await changes.next();
  await changes.return(undefined);
  if (first.done || first.value.type !== 'all') return [];
  return first.value.terminals.map(({ id, name, title, shell, cwd, state }) => {
    const terminal = core.terminal(id);
    const { count: viewers } = terminal.viewers;
    return { id, name: name ?? (title || shell), cwd, state, running: terminal.input.runningPrograms(), viewers };
  });
}
