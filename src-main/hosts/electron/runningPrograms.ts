import type { PtyChatClient } from '../../core/PtyChatClient.ts';

/** The programs that quitting would end: those in the foreground of the shells of all tabs, in the tabs' order. */
export async function runningPrograms(core: Pick<PtyChatClient, 'followTerminals' | 'terminal'>): Promise<string[]> {
  const changes = core.followTerminals();
  const first = await changes.next();
  await changes.return(undefined);
  if (first.done || first.value.type !== 'all') return [];
  return first.value.terminals.flatMap(({ id }) => core.terminal(id).input.runningPrograms());
}
