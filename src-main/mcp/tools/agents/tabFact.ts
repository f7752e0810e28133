import type { ToolCall } from '../../protocol/Tool.ts';

/** Returns the number of a terminal's tab, from 1; empty for a terminal without a tab. */
export function tabFact(terminalId: string, { tabs }: ToolCall['desk']): { tab?: number } {
  const tab = tabs().get(terminalId);
  return tab === undefined ? {} : { tab };
}
