import { vi } from 'vitest';
import type { AgentState } from '../../../src-main/contract/chat/chat.ts';
import type { TerminalView } from '../../../src-main/contract/terminal.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';

/** Makes `terminal.view` report an agent in `state` until `restore`. */
export function showAgent(terminal: PtyInstance, state: AgentState): { restore(): void } {
  const agent = { ...terminal.view.agent, state } as TerminalView['agent'];
  const real = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(terminal), 'view')?.get;
  const spy = vi.spyOn(terminal, 'view', 'get').mockImplementation(() => ({ ...real?.call(terminal), agent }));
  return { restore: () => spy.mockRestore() };
}
