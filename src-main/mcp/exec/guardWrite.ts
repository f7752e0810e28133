import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';

/**
 * Throws where no policy may let a client write: into the client's own terminal (it would answer its own questions), and, if the kernel does not
 * confirm where the client runs, into a terminal with an agent.
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
