import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';

/**
 * Throws where a client must not write whatever the policy says: into the terminal it runs in itself (it would answer its own questions), and,
 * where the kernel does not vouch for where it runs, into one with an agent.
 */
export function guardWrite({ terminalId, isVerified }: McpCaller, { id, agents, view }: PtyInstance): void {
  if (terminalId === id)
    throw new ToolFault('SELF_PTY', `you run in the terminal "${id}" yourself`, 'use another one, or your own tools');
  if (!isVerified && (agents.run !== null || view.agent !== null))
    throw new ToolFault(
      'NOT_ALLOWED_SCOPE',
      `an agent runs in the terminal "${id}", and it cannot be told where you run`,
      'use a terminal without an agent',
    );
}
