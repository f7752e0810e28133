import type { ToolCall } from '../../protocol/Tool.ts';

/** The number of its tab, from 1; nothing for a terminal without one. */
export function tabFact(terminalId: string, { tabs }: ToolCall['desk']): { tab?: number } {
  const tab = tabs().get(terminalId);
  return tab === undefined ? {} : { tab };
}
