import { ToolFault } from '../../../contract/mcp/mcp.ts';
import type { ToolCall } from '../../protocol/Tool.ts';

/** Throws if the client was allowed before and is not allowed now. */
export function stillMay(terminalId: string, { authority, caller, desk, signal }: ToolCall): () => void {
  return () => {
    signal.throwIfAborted();
    desk.record.liveTerminal(terminalId);
    if (authority.has(caller, 'input')) return;
    throw new ToolFault('NOT_ALLOWED_SCOPE', 'the person has taken the scope "input" away meanwhile', 'stop here');
  };
}
