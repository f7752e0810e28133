import { ToolFault } from '../contract/mcp.ts';
import { asProtocolError } from './answers.ts';
import type { ToolCall } from './Tool.ts';

/** Runs what reads as the tools do, under the same rules, where the protocol has no place for a refusal but an error. */
export async function entered<T>(what: string, call: ToolCall, run: () => T | Promise<T>): Promise<T> {
  try {
    const leave = call.authority.enter({ tool: what, scope: 'observe', isWait: false }, call.caller);
    try {
      return await run();
    } finally {
      leave(0);
    }
  } catch (error) {
    throw error instanceof ToolFault ? asProtocolError(error) : error;
  }
}
